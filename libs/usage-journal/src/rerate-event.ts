import type { Usage } from '@weir/canonical';
import type { PriceSheet, UsageEvent } from '@weir/contracts';
import { priceAttempt, type MeasuredUnits } from './price-attempt';

const KEPT_UNITS = new Set(['input_token', 'input_image_token', 'output_token', 'output_image_token', 'image', 'character', 'second']);

/**
 * What an event costs by a price sheet, worked out from nothing but its units. By the sheet of its own `price_version` it is
 * `cost_p`, to the last digit: so any bill can be checked, and what was charged by a wrong price can be charged again.
 * Throws when the sheet prices nothing of what was used, or by units that events do not keep apart.
 */
export function rerateEvent({ units, unit_source: source }: Pick<UsageEvent, 'units' | 'unit_source'>, sheet: PriceSheet): bigint {
  if (Object.values(units).every((count) => count === 0)) return 0n;
  const unkept = sheet.kind === 'chat' ? undefined : Object.keys(sheet.units).find((unit) => !KEPT_UNITS.has(unit));
  if (unkept !== undefined) throw new RangeError(`events do not keep the unit ${unkept}`);
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
    source,
  };
  return priceAttempt(sheet, usage, {
    ...splitTokens('input', units.in, units.image_in),
    ...splitTokens('output', units.out, units.image_out),
    ...nameUsed('image', units.images),
    ...nameUsed('character', units.chars),
    ...nameUsed('second', units.ms_audio / 1000),
  });
}

/** Plain tokens beside those of images, where the two were told apart. */
function splitTokens(side: 'input' | 'output', all: number, ofImages: number | undefined): MeasuredUnits {
  return ofImages === undefined ? {} : { [`${side}_token`]: all - ofImages, [`${side}_image_token`]: ofImages };
}

/** Only what was used is named: a zero would hide that nothing else which the sheet prices was measured. */
function nameUsed(unit: string, quantity: number): MeasuredUnits {
  return quantity === 0 ? {} : { [unit]: quantity };
}
