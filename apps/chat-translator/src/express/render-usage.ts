import { promptTokens } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { encodeUsageWithCost, type PricedUsage } from '@weir/wire-formats';

/** A chat-completions usage object, for streams and replies whose provider left it out. */
export function renderChatUsage(priced: PricedUsage): string {
  const { usage } = priced;
  const prompt = promptTokens(usage);
  const fields = {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead,
      caching_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
      audio_tokens: usage.audioInput,
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoning, audio_tokens: usage.audioOutput },
  };
  return encodeUsageWithCost(fields, priced);
}

/** A usage object of the dialect, for whole replies whose provider left it out. */
export function renderUsage(dialect: ChatDialect, priced: PricedUsage): string {
  const { usage } = priced;
  if (dialect === 'chat-completions') return renderChatUsage(priced);
  const output = { output_tokens: usage.output };
  if (dialect === 'messages') {
    return encodeUsageWithCost(
      {
        input_tokens: usage.inputUncached,
        cache_creation_input_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
        cache_read_input_tokens: usage.cacheRead,
        ...output,
      },
      priced,
    );
  }
  const input = promptTokens(usage);
  return encodeUsageWithCost(
    {
      input_tokens: input,
      input_tokens_details: { cached_tokens: usage.cacheRead },
      ...output,
      output_tokens_details: { reasoning_tokens: usage.reasoning },
      total_tokens: input + usage.output,
    },
    priced,
  );
}
