import { formatUsd } from '@weir/pricing';
import { periodKey } from '../period-key';
import { encodeInstant, encodeMap, type UsageColumn, type UsageLine } from './usage-line';

/** The whole prompt, as callers are told it: cached reads and writes included. */
export function countInputTokens({ inputTokens, cachedTokens, cacheWriteTokens }: UsageLine): string {
  return String(BigInt(inputTokens) + BigInt(cachedTokens) + BigInt(cacheWriteTokens));
}

/** The plain finance file: everything usage can be grouped by as it was at admission, no names, and all that is counted. */
export const USAGE_CSV_COLUMNS: readonly UsageColumn[] = [
  { name: 'period_start', value: (line) => periodKey(line.periodStartMs) },
  { name: 'period_end', value: (line) => periodKey(line.periodEndMs) },
  { name: 'organization_id', value: (_line, file) => file.organizationId },
  { name: 'api_key_id', value: (line) => line.apiKeyId },
  { name: 'member_id', value: (line) => line.memberId ?? '' },
  { name: 'group_id', value: (line) => line.groupId ?? '' },
  { name: 'user_id', value: (line) => line.endUserId ?? '' },
  { name: 'model_requested', value: (line) => line.modelRequested },
  { name: 'model_used', value: (line) => line.modelUsed },
  { name: 'provider_used', value: (line) => line.providerUsed },
  { name: 'is_byok', value: (line) => String(line.isByok) },
  { name: 'endpoint', value: (line) => line.endpoint },
  { name: 'modality', value: (line) => line.modality },
  { name: 'origin_title', value: (line) => line.originTitle ?? '' },
  { name: 'api_key_labels', value: (line) => encodeMap(line.apiKeyLabels) },
  { name: 'group_labels', value: (line) => encodeMap(line.groupLabels) },
  { name: 'extra', value: (line) => encodeMap(line.extra) },
  { name: 'requests', value: (line) => line.requests },
  { name: 'attempts', value: (line) => line.attempts },
  { name: 'errors', value: (line) => line.errors },
  { name: 'input_tokens', value: countInputTokens },
  { name: 'cached_tokens', value: (line) => line.cachedTokens },
  { name: 'cache_write_tokens', value: (line) => line.cacheWriteTokens },
  { name: 'output_tokens', value: (line) => line.outputTokens },
  { name: 'reasoning_tokens', value: (line) => line.reasoningTokens },
  { name: 'searches', value: (line) => line.searches },
  { name: 'images', value: (line) => line.images },
  { name: 'characters', value: (line) => line.chars },
  { name: 'audio_ms', value: (line) => line.audioMs },
  { name: 'spend_usd', value: (line) => formatUsd(line.costPico) },
  { name: 'billed_usd', value: (line) => formatUsd(line.billedPico) },
  { name: 'revision', value: (_line, file) => file.revision },
  { name: 'as_of', value: (_line, file) => encodeInstant(file.asOfMs) },
];
