import type { WorkerHandler } from '@weir/http-server';
import type { ModelCatalog } from '@weir/model-catalog';
import type { ProviderDirectory } from '@weir/providers';
import type { Till } from '@weir/usage-journal';
import { createChatHandler } from './chat/handle-chat-request';
import { createCountTokensHandler } from './chat/handle-count-tokens';
import { createEmbeddingsHandler } from './embeddings/handle-embeddings-request';

export type ChatTranslatorParts = {
  readonly providers: Pick<ProviderDirectory, 'find'>;
  readonly catalog: ModelCatalog;
  readonly till: Till;
  /** False while usage could not be journalled. */
  readonly isMeteringReady: () => boolean;
  /** See PumpOptions. */
  readonly whenDurable: (() => Promise<void>) | null;
  readonly headersTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly heartbeatMs: number;
  readonly now: () => number;
};

/** Joins the worker's rooms into one handler for all of its endpoints. */
export function composeChatTranslator(parts: ChatTranslatorParts): { readonly handle: WorkerHandler } {
  const { catalog } = parts;
  const handlerParts = {
    ...parts,
    findProvider: (id: string) => parts.providers.find(id),
    findModel: (id: string) => {
      const record = catalog.find(id);
      return record === undefined ? undefined : catalog.facts(record);
    },
  };
  const chat = createChatHandler(handlerParts);
  const embeddings = createEmbeddingsHandler(handlerParts);
  const countTokens = createCountTokensHandler(handlerParts);
  const others = new Map([
    ['embeddings', embeddings],
    ['count-tokens', countTokens],
  ]);
  return { handle: (work) => (others.get(work.passport.endpointId) ?? chat)(work) };
}
