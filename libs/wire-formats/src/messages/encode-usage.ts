import { withoutAside, type Usage } from '@weir/canonical';
import { encodeUsageWithCost } from '../reply/encode-usage-with-cost';
import type { PricedUsage } from '../dialect/wire-format';

/** Input tokens leave out what was read from and written to the cache. */
export function toMessagesUsage(usage: Usage) {
  return {
    input_tokens: usage.inputUncached,
    cache_creation_input_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation: { ephemeral_5m_input_tokens: usage.cacheWrite5m, ephemeral_1h_input_tokens: usage.cacheWrite1h },
    output_tokens: usage.output,
    output_tokens_details: { thinking_tokens: usage.reasoning },
    server_tool_use: usage.searches > 0 ? { web_search_requests: usage.searches, web_fetch_requests: 0 } : null,
  };
}

export function encodeMessagesUsage(priced: PricedUsage, serviceTier?: string): string {
  return encodeUsageWithCost({ ...toMessagesUsage(withoutAside(priced.usage)), service_tier: encodeTier(serviceTier) }, priced);
}

/** The dialect knows three tiers. */
export function encodeTier(tier: string | undefined): string {
  return tier === 'priority' || tier === 'batch' ? tier : 'standard';
}
