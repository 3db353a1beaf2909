import { periodCeiling, type Resolution, type UsageLine } from '@weir/usage';

type Labels = Readonly<Record<string, string>>;

/** A row of the export's cursor, `f` the rollup, `s` the series, `k` the key, `grp` the group. */
export type LineRow = {
  readonly period_seconds: string;
  readonly api_key_id: string;
  readonly api_key_name: string | null;
  readonly user_id: string | null;
  readonly member_email: string | null;
  readonly group_id: string | null;
  readonly group_name: string | null;
  readonly end_user_id: string | null;
  readonly model_requested: string;
  readonly model_used: string;
  readonly provider_used: string;
  readonly is_byok: boolean;
  readonly origin_title: string | null;
  readonly endpoint: string;
  readonly modality: string;
  readonly key_labels: Labels | null;
  readonly group_labels: Labels | null;
  readonly extra: Labels;
  readonly requests: string;
  readonly attempts: string;
  readonly errors: string;
  readonly input_tokens: string;
  readonly cached_tokens: string;
  readonly cache_write_tokens: string;
  readonly output_tokens: string;
  readonly reasoning_tokens: string;
  readonly searches: string;
  readonly images: string;
  readonly chars: string;
  readonly audio_ms: string;
  readonly cost_pico: string;
  readonly billed_pico: string;
};

/** Of the series; a line of fewer dimensions has null in those that were added up. */
export const OF_SERIES = [
  ...['api_key_id', 'user_id', 'group_id', 'end_user_id', 'model_requested', 'model_used', 'provider_used', 'is_byok'],
  ...['origin_title', 'endpoint', 'modality', 'extra'],
];
/** Of the rollup. */
export const SUMS = [
  ...['requests', 'attempts', 'errors', 'input_tokens', 'cached_tokens', 'cache_write_tokens', 'output_tokens', 'reasoning_tokens'],
  ...['searches', 'images', 'chars', 'audio_ms', 'cost_pico', 'billed_pico'],
];

export const LINE_COLUMNS = [
  'extract(epoch FROM f.period_start)::bigint::text AS period_seconds',
  ...OF_SERIES.map((column) => `s.${column}`),
  'k.name AS api_key_name',
  'member.email AS member_email',
  'grp.name AS group_name',
  'key_labels.labels AS key_labels',
  'group_labels.labels AS group_labels',
  ...SUMS.map((column) => `f.${column}::text AS ${column}`),
].join(', ');

export function decodeLine(row: LineRow, resolution: Resolution): UsageLine {
  const periodStartMs = Number(row.period_seconds) * 1000;
  return {
    periodStartMs,
    periodEndMs: periodCeiling(resolution, periodStartMs + 1),
    apiKeyId: row.api_key_id,
    apiKeyName: row.api_key_name,
    memberId: row.user_id,
    memberEmail: row.member_email,
    groupId: row.group_id,
    groupName: row.group_name,
    endUserId: row.end_user_id,
    modelRequested: row.model_requested,
    modelUsed: row.model_used,
    providerUsed: row.provider_used,
    isByok: row.is_byok,
    originTitle: row.origin_title,
    endpoint: row.endpoint,
    modality: row.modality,
    apiKeyLabels: row.key_labels ?? {},
    groupLabels: row.group_labels ?? {},
    extra: row.extra,
    requests: row.requests,
    attempts: row.attempts,
    errors: row.errors,
    inputTokens: row.input_tokens,
    cachedTokens: row.cached_tokens,
    cacheWriteTokens: row.cache_write_tokens,
    outputTokens: row.output_tokens,
    reasoningTokens: row.reasoning_tokens,
    searches: row.searches,
    images: row.images,
    chars: row.chars,
    audioMs: row.audio_ms,
    costPico: BigInt(row.cost_pico),
    billedPico: BigInt(row.billed_pico),
  };
}
