import { formatUsd } from '@weir/pricing';
import { periodKey } from '../period-key';
import { encodeInstant, encodeMap, encodeStatus, type UsageColumn, type UsageLine } from './usage-line';

/** The whole prompt, as callers see it: cached reads and writes included. */
export function countInputTokens({ inputTokens, cachedTokens, cacheWriteTokens }: UsageLine): string {
  return String(BigInt(inputTokens) + BigInt(cachedTokens) + BigInt(cacheWriteTokens));
}

/** The plain finance file: everything usage can be grouped by as it was at admission, with today's names beside ids, and all that is counted. */
export const USAGE_CSV_COLUMNS: readonly UsageColumn[] = [
  { name: 'period_start', kind: 'time', value: (line) => periodKey(line.periodStartMs) },
  { name: 'period_end', kind: 'time', value: (line) => periodKey(line.periodEndMs) },
  { name: 'organization_id', value: (_line, file) => file.organizationId },
  { name: 'api_key_id', value: (line) => line.apiKeyId },
  { name: 'api_key_name', isName: true, value: (line) => line.apiKeyName ?? '' },
  { name: 'member_id', value: (line) => line.memberId ?? '' },
  { name: 'member_email', isName: true, value: (line) => line.memberEmail ?? '' },
  { name: 'group_id', value: (line) => line.groupId ?? '' },
  { name: 'group_name', isName: true, value: (line) => line.groupName ?? '' },
  { name: 'user_id', value: (line) => line.endUserId ?? '' },
  { name: 'model_requested', value: (line) => line.modelRequested },
  { name: 'model_used', value: (line) => line.modelUsed },
  { name: 'provider_used', value: (line) => line.providerUsed },
  { name: 'is_byok', kind: 'flag', value: (line) => String(line.isByok) },
  { name: 'endpoint', value: (line) => line.endpoint },
  { name: 'modality', value: (line) => line.modality },
  { name: 'origin_title', value: (line) => line.originTitle ?? '' },
  { name: 'api_key_labels', value: (line) => encodeMap(line.apiKeyLabels) },
  { name: 'group_labels', value: (line) => encodeMap(line.groupLabels) },
  { name: 'extra', value: (line) => encodeMap(line.extra) },
  { name: 'requests', kind: 'count', value: (line) => line.requests },
  { name: 'attempts', kind: 'count', value: (line) => line.attempts },
  { name: 'errors', kind: 'count', value: (line) => line.errors },
  { name: 'input_tokens', kind: 'count', value: countInputTokens },
  { name: 'cached_tokens', kind: 'count', value: (line) => line.cachedTokens },
  { name: 'cache_write_tokens', kind: 'count', value: (line) => line.cacheWriteTokens },
  { name: 'output_tokens', kind: 'count', value: (line) => line.outputTokens },
  { name: 'reasoning_tokens', kind: 'count', value: (line) => line.reasoningTokens },
  { name: 'searches', kind: 'count', value: (line) => line.searches },
  { name: 'images', kind: 'count', value: (line) => line.images },
  { name: 'characters', kind: 'count', value: (line) => line.chars },
  { name: 'audio_ms', kind: 'count', value: (line) => line.audioMs },
  { name: 'spend_usd', kind: 'money', value: (line) => formatUsd(line.costPico) },
  { name: 'billed_usd', kind: 'money', value: (line) => formatUsd(line.billedPico) },
  { name: 'status', value: (_line, file) => encodeStatus(file) },
  { name: 'revision', kind: 'count', value: (_line, file) => file.revision },
  { name: 'as_of', kind: 'time', value: (_line, file) => encodeInstant(file.asOfMs) },
];
