import { NO_USAGE, promptTokens, toCount as toBoundedCount, type Usage } from '@weir/canonical';
import type { PriceSheet, UsageUnits } from '@weir/contracts';
import { priceUnits, priceUsage } from '@weir/pricing';

/** What was measured besides tokens, by the unit names of price sheets: `image`, `character`, `second`, … */
export type MeasuredUnits = Readonly<Record<string, number>>;

/** What an attempt is worth. One that used nothing is worth nothing, whatever its sheet charges per request. */
export function priceAttempt(sheet: PriceSheet, usage: Usage, measured?: MeasuredUnits): bigint {
  if (usage === NO_USAGE && measured === undefined) return 0n;
  return sheet.kind === 'chat' ? priceUsage(sheet, usage) : priceUnits(sheet, { ...nameTokens(usage), ...asJournalled(measured) });
}

/** Events keep milliseconds: what is finer is not charged, or a bill could not be worked out from its event again. */
function asJournalled(measured: MeasuredUnits = {}): MeasuredUnits {
  const { second } = measured;
  return second === undefined || Number.isInteger(second) ? measured : { ...measured, second: toCount(second * 1000) / 1000 };
}

/** Only tokens that were used are named: a zero would hide that nothing else which the sheet prices was measured. */
function nameTokens(usage: Usage): MeasuredUnits {
  const input = promptTokens(usage);
  return { ...(input > 0 ? { input_token: input } : {}), ...(usage.output > 0 ? { output_token: usage.output } : {}) };
}

export function describeUnits(usage: Usage, measured?: MeasuredUnits): UsageUnits {
  const units = describeTokens(usage);
  if (measured === undefined) return units;
  return {
    ...units,
    images: countImages(measured),
    chars: toCount(measured['character']),
    ms_audio: toCount((measured['second'] ?? 0) * 1000),
    ...nameImageTokens('image_in', measured['input_image_token']),
    ...nameImageTokens('image_out', measured['output_image_token']),
  };
}

function describeTokens(usage: Usage): UsageUnits {
  return {
    in: usage.inputUncached,
    out: usage.output,
    cached_in: usage.cacheRead,
    cache_w5m: usage.cacheWrite5m,
    cache_w1h: usage.cacheWrite1h,
    reasoning: usage.reasoning,
    audio_in: usage.audioInput,
    audio_out: usage.audioOutput,
    images: 0,
    chars: 0,
    ms_audio: 0,
    searches: usage.searches,
    ...(usage.searchesMedium === undefined ? {} : { searches_medium: usage.searchesMedium }),
    ...(usage.searchesHigh === undefined ? {} : { searches_high: usage.searchesHigh }),
  };
}

export const NO_UNITS: UsageUnits = describeUnits(NO_USAGE);

/** Images of a special quality and size are charged by a unit of their own: `image:hd:1792x1024`. */
function countImages(measured: MeasuredUnits): number {
  return Object.entries(measured).reduce((sum, [unit, quantity]) => (/^image(:|$)/.test(unit) ? sum + toCount(quantity) : sum), 0);
}

function nameImageTokens(name: 'image_in' | 'image_out', tokens: number | undefined): Partial<UsageUnits> {
  return tokens === undefined ? {} : { [name]: toCount(tokens) };
}

function toCount(quantity = 0): number {
  return toBoundedCount(Math.round(quantity));
}
