import { NO_FAIL_POINT, type FailPoint, type Passport } from '@weir/contracts';
import type { WorkerHandler } from '@weir/http-server';
import type { FreeModelDays } from '@weir/limits';
import type { ModelCatalog } from '@weir/model-catalog';
import type { ProviderDirectory } from '@weir/providers';
import type { Till } from '@weir/usage-journal';
import { createDrainLimit } from './chat/drain-limit';
import { createChatHandler } from './chat/handle-chat-request';
import { createCountTokensHandler } from './chat/handle-count-tokens';
import { createMediaInliner, INLINE_NOTHING, type InlineParts } from './chat/inline-media';
import { createEmbeddingsHandler } from './embeddings/handle-embeddings-request';
import { createFreePlaceKeeper } from './till/keep-free-places';

export type ChatTranslatorParts = {
  readonly providers: Pick<ProviderDirectory, 'find'>;
  readonly catalog: ModelCatalog;
  readonly till: Till;
  /** Told of every request that is over. */
  readonly finishHold: (passport: Passport) => void;
  /** Where places of free-model days are given back. */
  readonly freeModelDays: Pick<FreeModelDays, 'giveBack'>;
  /** Told of a place that could not be given back. */
  readonly onPlaceLost: (error: unknown) => void;
  /** False while usage could not be journalled. */
  readonly isMeteringReady: () => boolean;
  /** See PumpOptions. */
  readonly whenDurable: (() => Promise<void>) | null;
  readonly headersTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly heartbeatMs: number;
  readonly now: () => number;
  readonly failPoint?: FailPoint;
  /** How media named by address reaches providers that fetch nothing; absent: not at all. */
  readonly inlining?: InlineParts;
};

/** Joins the worker's rooms into one handler for all of its endpoints. */
export function composeChatTranslator(parts: ChatTranslatorParts): { readonly handle: WorkerHandler } {
  const { catalog } = parts;
  const places = createFreePlaceKeeper({ till: parts.till, freeModelDays: parts.freeModelDays, onLost: parts.onPlaceLost });
  const handlerParts = {
    ...parts,
    till: places.till,
    failPoint: parts.failPoint ?? NO_FAIL_POINT,
    drains: createDrainLimit(),
    inlineMedia: parts.inlining === undefined ? INLINE_NOTHING : createMediaInliner(parts.inlining),
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
  const handle = places.guard((work) => (others.get(work.passport.endpointId) ?? chat)(work));
  return { handle: (work) => handle(work).finally(() => parts.finishHold(work.passport)) };
}
