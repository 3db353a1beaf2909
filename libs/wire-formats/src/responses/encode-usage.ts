import { promptTokens } from '@weir/canonical';
import { encodeUsageWithCost } from '../reply/encode-usage-with-cost';
import type { PricedUsage } from '../dialect/wire-format';

/** Input tokens include what was read from and written to the cache; output tokens include reasoning. */
export function encodeResponsesUsage(priced: PricedUsage): string {
  const { usage } = priced;
  const input = promptTokens(usage);
  return encodeUsageWithCost(
    {
      input_tokens: input,
      input_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite5m + usage.cacheWrite1h },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: usage.reasoning },
      total_tokens: input + usage.output,
    },
    priced,
  );
}
