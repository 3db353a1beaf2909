import type { Usage } from '@weir/canonical';
import type { UsageEvent, UsageUnits } from '@weir/contracts';
import type { MeasuredUnits } from './price-attempt';

/** What was used, as an event keeps it, in the terms in which it is priced. */
export function readUnits(
  units: UsageUnits,
  source: UsageEvent['unit_source'],
): { readonly usage: Usage; readonly measured: MeasuredUnits } {
  const usage: Usage = {
    inputUncached: units.in,
    cacheRead: units.cached_in,
    cacheWrite5m: units.cache_w5m,
    cacheWrite1h: units.cache_w1h,
    output: units.out,
    reasoning: units.reasoning,
    audioInput: units.audio_in,
    audioOutput: units.audio_out,
    searches: units.searches,
    ...(units.searches_medium === undefined ? {} : { searchesMedium: units.searches_medium }),
    ...(units.searches_high === undefined ? {} : { searchesHigh: units.searches_high }),
    source,
  };
  const measured = {
    ...splitTokens('input', units.in, units.image_in),
    ...splitTokens('output', units.out, units.image_out),
    ...nameUsed('image', units.images),
    ...nameUsed('character', units.chars),
    ...nameUsed('second', units.ms_audio / 1000),
  };
  return { usage, measured };
}

/** Plain tokens beside those of images, where the two were counted separately. */
function splitTokens(side: 'input' | 'output', all: number, ofImages: number | undefined): MeasuredUnits {
  return ofImages === undefined ? {} : { [`${side}_token`]: all - ofImages, [`${side}_image_token`]: ofImages };
}

/** Only what was used is named: a zero would hide that nothing else which the sheet prices was measured. */
function nameUsed(unit: string, quantity: number): MeasuredUnits {
  return quantity === 0 ? {} : { [unit]: quantity };
}
