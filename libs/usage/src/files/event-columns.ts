import type { UsageCorrection, UsageEvent } from '@weir/contracts';
import { formatUsd } from '@weir/pricing';
import { encodeInstant, encodeMap, encodeStatus, type UsageColumn } from '../finance/usage-line';
import { measureEvent } from '../measures';

/** An event, or a correction of one, with its place and the labels of its admission. */
export type UsageEventLine = {
  readonly event: UsageEvent | UsageCorrection;
  /** When it counts: its admission, or its arrival where that was said to be in the future. UTC epoch milliseconds. */
  readonly countedAtMs: number;
  readonly isTimeClamped: boolean;
  readonly writerId: string;
  /** Decimal text. */
  readonly sequence: string;
  readonly apiKeyLabels: Readonly<Record<string, string>>;
  readonly groupLabels: Readonly<Record<string, string>>;
};

type EventColumn = UsageColumn<UsageEventLine>;

const text = (name: string, value: (event: UsageEvent) => string | null | undefined): EventColumn => ({
  name,
  value: ({ event }) => value(event) ?? '',
});
const flag = (name: string, value: (event: UsageEvent) => boolean | undefined): EventColumn => ({
  name,
  kind: 'flag',
  value: ({ event }) => String(value(event) ?? ''),
});
const count = (name: string, value: (event: UsageEvent) => number | null): EventColumn => ({
  name,
  kind: 'count',
  value: ({ event }) => String(value(event) ?? ''),
});

/** The whole prompt, as in lines of sums. */
function countPrompt(event: UsageEvent): number {
  const { inputTokens, cachedTokens, cacheWriteTokens } = measureEvent(event);
  return inputTokens + cachedTokens + cacheWriteTokens;
}

/** One row an attempt or correction: what it was, and what it adds to each sum. Texts of prompts and replies are in no event. */
export const USAGE_EVENT_COLUMNS: readonly EventColumn[] = [
  text('event_id', (event) => event.event_id),
  text('request_id', (event) => event.request_id),
  count('attempt_number', (event) => event.attempt_no),
  { name: 'admitted_at', kind: 'time', value: ({ countedAtMs }) => encodeInstant(countedAtMs) },
  { name: 'ended_at', kind: 'time', value: ({ event }) => encodeInstant(event.ended_at) },
  { name: 'is_time_clamped', kind: 'flag', value: ({ isTimeClamped }) => String(isTimeClamped) },
  count('duration_ms', (event) => event.dur_ms),
  count('first_byte_ms', (event) => event.ttft_ms),
  { name: 'organization_id', value: (_line, file) => file.organizationId },
  text('api_key_id', (event) => event.api_key_id),
  text('member_id', (event) => event.user_id),
  text('group_id', (event) => event.group_id),
  text('user_id', (event) => event.end_user_id),
  text('model_requested', (event) => event.model_requested),
  text('model_used', (event) => event.model_used),
  text('provider_used', (event) => event.provider_used),
  text('region', (event) => event.region),
  flag('is_byok', (event) => event.is_byok),
  flag('is_free', (event) => event.is_free),
  flag('is_stream', (event) => event.stream),
  text('endpoint', (event) => event.endpoint),
  text('modality', (event) => event.modality),
  text('origin_title', (event) => event.origin_title),
  text('trace_id', (event) => event.trace_id),
  { name: 'api_key_labels', value: ({ apiKeyLabels }) => encodeMap(apiKeyLabels) },
  { name: 'group_labels', value: ({ groupLabels }) => encodeMap(groupLabels) },
  text('extra', (event) => encodeMap(event.extra)),
  text('outcome', (event) => event.status),
  count('http_status', (event) => event.http_status),
  text('error_code', (event) => event.error_code),
  text('unit_source', (event) => event.unit_source),
  text('price_version', (event) => event.price_version),
  { name: 'corrects', value: ({ event }) => ('corrects' in event ? event.corrects.event_id : '') },
  { name: 'writer_id', value: ({ writerId }) => writerId },
  { name: 'sequence', kind: 'count', value: ({ sequence }) => sequence },
  count('requests', (event) => measureEvent(event).requests),
  count('attempts', (event) => measureEvent(event).attempts),
  count('errors', (event) => measureEvent(event).errors),
  count('input_tokens', countPrompt),
  count('cached_tokens', (event) => event.units.cached_in),
  count('cache_write_tokens', (event) => event.units.cache_w5m + event.units.cache_w1h),
  count('output_tokens', (event) => event.units.out),
  count('reasoning_tokens', (event) => event.units.reasoning),
  count('searches', (event) => event.units.searches),
  count('images', (event) => event.units.images),
  count('characters', (event) => event.units.chars),
  count('audio_ms', (event) => event.units.ms_audio),
  { name: 'spend_usd', kind: 'money', value: ({ event }) => formatUsd(BigInt(event.cost_p)) },
  { name: 'billed_usd', kind: 'money', value: ({ event }) => formatUsd(BigInt(event.billed_p)) },
  { name: 'status', value: (_line, file) => encodeStatus(file) },
  { name: 'revision', kind: 'count', value: (_line, file) => file.revision },
  { name: 'as_of', kind: 'time', value: (_line, file) => encodeInstant(file.asOfMs) },
];
