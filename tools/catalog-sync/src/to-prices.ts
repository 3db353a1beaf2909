import { UNITS_OF_MODALITY, type ModelRow } from '@weir/model-catalog';
import type { SourceModel } from './read-source';
import type { SourceTier } from './source-record.schema';
import { withoutGaps } from './without-gaps';

export type PriceRow = ModelRow['prices'][number];
/** A price before it has a date. */
export type UndatedPrice = Record<string, unknown>;

/** The source's prices in our shape; facts that it does not state are left out. */
export function toPrices(model: SourceModel): UndatedPrice {
  const { pricing, discount_percentage: discount } = model.record;
  const prices = Array.isArray(pricing) ? chatPrices(pricing, model) : { units: unitPrices(pricing, model) };
  // A price without a discount states none.
  return discount == null || discount === 0 ? prices : { discountPercentage: discount, ...prices };
}

function chatPrices(pricing: readonly SourceTier[], { extras }: SourceModel): UndatedPrice {
  const tiers = pricing.map((tier) =>
    withoutGaps({
      threshold: tier.prompt_tokens_threshold,
      input: tier.input_price,
      output: tier.output_price,
      cachedRead: tier.cached_price,
      cacheWrite: tier.caching_price,
      cacheWrite5m: tier.caching_5m_price,
      cacheWrite1h: tier.caching_1h_price,
    }),
  );
  return withoutGaps({
    tiers,
    search: extras.web_search_price_per_request,
    audioInput: extras.input_audio_price,
    audioOutput: extras.output_audio_price,
  });
}

function unitPrices(pricing: Record<string, string | null | undefined>, { record, extras }: SourceModel): Record<string, string> {
  if (record.api === 'chat') throw new Error(`${record.id}: a chat model without tiers`);
  const units: Record<string, string> = {};
  for (const [key, value] of Object.entries(pricing)) {
    if (value == null) continue;
    const counts = record.pricing_units?.[key];
    const unit = Object.entries(UNITS_OF_MODALITY[record.api]).find(([, face]) => face.publicKey === key && face.counts === counts);
    if (unit === undefined) throw new Error(`${record.id}: no unit is known for ${key} per ${counts ?? 'token or character'}`);
    units[unit[0]] = value;
  }
  return { ...units, ...imageVariants(units['image'], extras.image_price_grid_usd ?? {}) };
}

/** Qualities and sizes whose price differs from the plain one. Grids of models that are charged by tokens are only estimates. */
function imageVariants(plain: string | undefined, grid: Record<string, Record<string, string>>): Record<string, string> {
  const variants: Record<string, string> = {};
  if (plain === undefined) return variants;
  for (const [quality, sizes] of Object.entries(grid)) {
    for (const [size, value] of Object.entries(sizes)) {
      if (quality !== 'default' && size !== 'default' && value !== plain) variants[`image:${quality}:${size}`] = value;
    }
  }
  return variants;
}
