import { USAGE_STATUSES, usageEvent, type UsageEvent, type UsageUnits } from '@weir/contracts';

type Fields = Readonly<Record<string, unknown>>;
/** Fields of the event that may hold exactly what is said. */
type FieldsOf<Value> = {
  [Name in keyof UsageEvent]-?: [UsageEvent[Name], Value] extends [Value, UsageEvent[Name]] ? Name : never;
}[keyof UsageEvent];

const TEXTS = [
  'event_id',
  'request_id',
  'org_id',
  'api_key_id',
  'endpoint',
  'model_requested',
  'model_used',
  'provider_used',
  'price_version',
] as const satisfies readonly FieldsOf<string>[];

const TEXTS_OR_NULL = [
  'user_id',
  'group_id',
  'key_label_set_id',
  'group_label_set_id',
  'region',
  'origin_title',
  'end_user_id',
  'trace_id',
  'hold_id',
] as const satisfies readonly FieldsOf<string | null>[];

const TEXTS_OR_ABSENT = ['why', 'error_code', 'traceparent'] as const;

const FLAGS = ['logical', 'is_byok', 'is_free'] as const satisfies readonly FieldsOf<boolean>[];

const AMOUNTS = ['cost_p', 'billed_p', 'reserve_p'] as const satisfies readonly FieldsOf<string>[];
const PICO = /^\d+$/;

const COUNTS = [
  'in',
  'out',
  'cached_in',
  'cache_w5m',
  'cache_w1h',
  'reasoning',
  'audio_in',
  'audio_out',
  'images',
  'chars',
  'ms_audio',
  'searches',
] as const satisfies readonly (keyof UsageUnits)[];

const COUNTS_OR_ABSENT = ['image_in', 'image_out', 'searches_medium', 'searches_high'] as const satisfies readonly (keyof UsageUnits)[];

/** Every unit that is known: what else stands in an event's units is a later version's. */
export const UNIT_NAMES: readonly (keyof UsageUnits)[] = [...COUNTS, ...COUNTS_OR_ABSENT];

const { modality, unit_source, error_origin, guardrail } = usageEvent.shape;
const MODALITIES = new Set<unknown>(modality.options);
const UNIT_SOURCES = new Set<unknown>(unit_source.options);
const STATUSES = new Set<unknown>(USAGE_STATUSES);
const ERROR_ORIGINS = new Set<unknown>([null, ...error_origin.unwrap().options]);
const GUARDRAILS = new Set<unknown>([null, ...guardrail.unwrap().options]);

/**
 * A quick yes for events as they nearly all are; takes parsed JSON. A no says nothing: the schema decides then. Never yes
 * where the schema would refuse or read another value, and several times quicker, because nothing is copied.
 */
export function isPlainEvent(value: unknown): value is UsageEvent {
  if (!isFields(value) || value['v'] !== 1 || value['uncharged'] !== undefined || value['doubted'] !== undefined) return false;
  return areTextsPlain(value) && areNumbersPlain(value) && areChoicesPlain(value) && areUnitsPlain(value['units']) && areListsPlain(value);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function areTextsPlain(event: Fields): boolean {
  for (const name of TEXTS) if (typeof event[name] !== 'string') return false;
  for (const name of TEXTS_OR_NULL) if (event[name] !== null && typeof event[name] !== 'string') return false;
  for (const name of TEXTS_OR_ABSENT) if (event[name] !== undefined && typeof event[name] !== 'string') return false;
  for (const name of AMOUNTS) {
    const amount = event[name];
    if (typeof amount !== 'string' || !PICO.test(amount)) return false;
  }
  return true;
}

function areNumbersPlain(event: Fields): boolean {
  if (!isInteger(event['admitted_at']) || !isInteger(event['ended_at'])) return false;
  if (!isCount(event['attempt_no']) || event['attempt_no'] === 0 || !isCount(event['dur_ms'])) return false;
  if (event['ttft_ms'] !== null && !isCount(event['ttft_ms'])) return false;
  return event['http_status'] === null || isInteger(event['http_status']);
}

function areChoicesPlain(event: Fields): boolean {
  for (const name of FLAGS) if (typeof event[name] !== 'boolean') return false;
  if (event['stream'] !== undefined && typeof event['stream'] !== 'boolean') return false;
  return (
    MODALITIES.has(event['modality']) &&
    UNIT_SOURCES.has(event['unit_source']) &&
    STATUSES.has(event['status']) &&
    ERROR_ORIGINS.has(event['error_origin']) &&
    GUARDRAILS.has(event['guardrail'])
  );
}

function areUnitsPlain(units: unknown): boolean {
  if (!isFields(units)) return false;
  for (const name of COUNTS) if (!isCount(units[name])) return false;
  for (const name of COUNTS_OR_ABSENT) if (units[name] !== undefined && !isCount(units[name])) return false;
  return true;
}

function areListsPlain({ extra, hold_scopes, hold_uncounted }: Fields): boolean {
  if (!Array.isArray(hold_scopes) || !isFields(extra)) return false;
  for (const scope of hold_scopes) if (typeof scope !== 'string') return false;
  if (hold_uncounted !== undefined && !(Array.isArray(hold_uncounted) && hold_uncounted.every(isCount))) return false;
  for (const name in extra) {
    // The schema leaves this name out.
    if (typeof extra[name] !== 'string' || name === '__proto__') return false;
  }
  return true;
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
