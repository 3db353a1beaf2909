import { CAPABILITIES, type DatedPrice, type DatedUnitPrice, type ModelRecord } from './model-record.schema';
import { fillTier, findPriceAt } from './to-price-sheet';
import { UNITS_OF_MODALITY } from './unit-names';

/** What texts of public records say where no one states a fact. Flags and numbers have no such word and are left out. */
const UNKNOWN = 'unknown';

// Lists are large and records never change, so the text of each is made once per price that it has had.
const encodedRecords = new WeakMap<DatedPrice, string>();

/** The public list of some models, as JSON text. */
export function encodeModelList(records: readonly ModelRecord[], atMs = Date.now()): string {
  return `{"object":"list","data":[${records.map((record) => encodeModelRecord(record, atMs)).join(',')}]}`;
}

/** The public record of a model, as JSON text, with the price in force at that moment. */
export function encodeModelRecord(record: ModelRecord, atMs = Date.now()): string {
  const price = findPriceAt(record.prices, atMs);
  const known = encodedRecords.get(price);
  if (known !== undefined) return known;
  const text = JSON.stringify(
    withoutGaps({
      ...commonFields(record, price, atMs),
      ...(record.modality === 'chat' ? chatFields(record) : {}),
      ...pricingFields(record, price),
      discount_percentage: price.discountPercentage,
    }),
  );
  encodedRecords.set(price, text);
  return text;
}

/** A member of which no one states a value is left out: clients read its type from the interface, which knows no null. */
function withoutGaps(fields: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function commonFields(record: ModelRecord, price: DatedPrice, atMs: number): object {
  // A release date that no one states, or that has not come, gives way to the day on which the model was first listed here.
  const stated = record.created !== null && record.created * 1_000 <= atMs ? record.created : null;
  const created = stated ?? Date.parse(record.prices[0]?.validFrom ?? price.validFrom) / 1_000;
  const { dataPolicy } = record;
  return {
    id: record.id,
    object: 'model',
    api: record.modality,
    created,
    updated: Math.max(record.updated ?? created, created),
    owned_by: record.vendor,
    data_retention: dataPolicy.retention,
    data_retention_days: dataPolicy.retentionDays,
    data_used_for_training: dataPolicy.training,
    privacy_comments: dataPolicy.comments ?? UNKNOWN,
    geolocation: record.geolocation ?? UNKNOWN,
    description: record.description ?? UNKNOWN,
    open_weights: record.openWeights,
    model_lab: record.lab,
    model_canonical_name: record.canonicalName,
    family: record.family,
    context_window: record.contextWindow,
    retires: record.retires,
    quantization: record.quantization,
  };
}

function chatFields(record: ModelRecord): object {
  const flags = CAPABILITIES.map((capability) => [`supports_${capability}`, record.supports.includes(capability)]);
  return { max_output_tokens: record.maxOutputTokens, ...Object.fromEntries(flags) };
}

function pricingFields(record: ModelRecord, price: DatedPrice): object {
  if ('units' in price) return unitPricing(record, price);
  const pricing = price.tiers.map((tier) => {
    const charged = fillTier(tier);
    return {
      prompt_tokens_threshold: charged.threshold,
      input_price: Number(charged.input),
      caching_price: Number(charged.cacheWrite),
      caching_5m_price: Number(charged.cacheWrite5m),
      caching_1h_price: Number(charged.cacheWrite1h),
      cached_price: Number(charged.cachedRead),
      output_price: Number(charged.output),
    };
  });
  const base = pricing[0];
  // Editors read the flat fields of the first tier and know nothing of tiers.
  return {
    pricing,
    input_price: base?.input_price,
    output_price: base?.output_price,
    cached_price: base?.cached_price,
    caching_price: base?.caching_price,
  };
}

function unitPricing(record: ModelRecord, price: DatedUnitPrice): object {
  if (record.modality === 'chat') return {};
  const pricing: Record<string, number> = {};
  const counted: Record<string, string> = {};
  for (const [unit, { publicKey, counts }] of Object.entries(UNITS_OF_MODALITY[record.modality])) {
    const value = price.units[unit];
    if (value === undefined) continue;
    pricing[publicKey] = Number(value);
    if (counts !== undefined) counted[publicKey] = counts;
  }
  return Object.keys(counted).length === 0 ? { pricing } : { pricing, pricing_units: counted };
}
