import { promptTokens } from '@weir/canonical';
import { encodeUsageWithCost } from '../reply/encode-usage-with-cost';
import type { PricedUsage } from '../dialect/wire-format';

/** Prompt tokens include what was read from and written to the cache; completion tokens include reasoning. */
export function encodeChatUsage(priced: PricedUsage): string {
  const { usage } = priced;
  const prompt = promptTokens(usage);
  const written = usage.cacheWrite5m + usage.cacheWrite1h;
  return encodeUsageWithCost(
    {
      prompt_tokens: prompt,
      completion_tokens: usage.output,
      total_tokens: prompt + usage.output,
      prompt_tokens_details: {
        cached_tokens: usage.cacheRead,
        cache_write_tokens: written,
        // The same count by the name that clients of the interface read.
        caching_tokens: written,
        audio_tokens: usage.audioInput,
      },
      completion_tokens_details: {
        reasoning_tokens: usage.reasoning,
        audio_tokens: usage.audioOutput,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    },
    priced,
  );
}
