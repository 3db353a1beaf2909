import { COUNTING_ENDPOINTS } from '@weir/contracts';
import { prepareWorker, type WorkerParts } from '@weir/exchange';
import type { WorkerHandler } from '@weir/http-server';
import type { AttemptProviders } from '@weir/providers';
import type { WorkerMetering } from '@weir/meter';
import { createChatHandler } from './chat/handle-chat-request';
import { createCountTokensHandler } from './chat/handle-count-tokens';
import { createMediaInliner, INLINE_NOTHING, type InlineParts } from './exchange/inline-media';
import { createEmbeddingsHandler } from './embeddings/handle-embeddings-request';
import { createRequestGuards } from './guardrails/guard-request';

type ChatTranslatorParts = WorkerMetering &
  WorkerParts<AttemptProviders> & {
    /** How media named by address reaches providers that fetch nothing; absent: not at all. */
    readonly inlining?: InlineParts;
    /** See `ExchangeParts`. */
    readonly firstContentMs?: number;
  };

/** Joins the parts of the worker into one handler for all of its endpoints. */
export function composeChatTranslator(parts: ChatTranslatorParts): { readonly handle: WorkerHandler } {
  const prepared = prepareWorker(parts);
  const handlerParts = {
    ...parts,
    ...prepared,
    guardRequest: createRequestGuards({ scanners: prepared.scanners }),
    inlineMedia: parts.inlining === undefined ? INLINE_NOTHING : createMediaInliner(parts.inlining),
  };
  const chat = createChatHandler(handlerParts);
  const embeddings = createEmbeddingsHandler(handlerParts);
  const countTokens = createCountTokensHandler(handlerParts);
  const others = new Map([['embeddings', embeddings] as const, ...[...COUNTING_ENDPOINTS].map((id) => [id, countTokens] as const)]);
  return { handle: (forwarded) => (others.get(forwarded.passport.endpointId) ?? chat)(forwarded) };
}
