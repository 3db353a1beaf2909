import { measurePrompt, readAskedOutput, type ChatMost } from '@weir/limits';
import type { ProviderTarget } from '@weir/providers';
import type { ChatSession } from './chat-session';

/** Names of models that search the web whenever they are asked. */
const SEARCHING_MODEL = /-search-|compound|:online/;

/** What bounds the usage of a request, by the same rules as the money that was set aside for it. */
export function describeMost(
  { body, forwarded, dialect }: Pick<ChatSession, 'body' | 'forwarded' | 'dialect'>,
  target: ProviderTarget,
): ChatMost {
  const { contextWindow = null, maxOutputTokens, supportsReasoning, supportsTools, supportsWebSearch } = target.model;
  return {
    prompt: () => measurePrompt(body.json, forwarded.body.length),
    asked: () => readAskedOutput(body.json, dialect),
    model: {
      contextWindow,
      maxOutputTokens,
      isReasoning: supportsReasoning,
      isSearching: (supportsWebSearch && !supportsTools) || SEARCHING_MODEL.test(target.attempt.upstreamModel),
    },
  };
}
