import { NO_FAIL_POINT, type FailPoint } from '@weir/contracts';
import { createDrainLimit, NO_SCANNERS, type ScannerParts } from '@weir/exchange';
import type { WorkerHandler, WorkerRequest } from '@weir/http-server';
import type { ModelCatalog } from '@weir/model-catalog';
import type { AttemptProviders } from '@weir/providers';
import { createAttemptRunner, createRouteHealth, type RouteHealth } from '@weir/routing';
import { createFreePlaceKeeper, type WorkerMetering } from '@weir/usage-journal';
import { createChatHandler } from './chat/handle-chat-request';
import { createCountTokensHandler } from './chat/handle-count-tokens';
import { createMediaInliner, INLINE_NOTHING, type InlineParts } from './chat/inline-media';
import { createEmbeddingsHandler } from './embeddings/handle-embeddings-request';
import { createRequestGuards } from './guardrails/guard-request';

export type ChatTranslatorParts = WorkerMetering & {
  readonly providers: AttemptProviders;
  readonly catalog: ModelCatalog;
  readonly headersTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly heartbeatMs: number;
  readonly now: () => number;
  readonly failPoint?: FailPoint;
  /** What is known of providers; absent: nothing that anyone else knows. */
  readonly health?: RouteHealth;
  /** See AttemptWatcherParts. */
  readonly tellsOutcomes?: boolean;
  /** How media named by address reaches providers that fetch nothing; absent: not at all. */
  readonly inlining?: InlineParts;
  /** How guardrails ask scanners; absent: every scanner counts as one that failed. */
  readonly scanners?: ScannerParts;
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
    runner: createAttemptRunner({ health: parts.health ?? createRouteHealth({ now: () => performance.now() }) }),
    tellsOutcomes: parts.tellsOutcomes ?? false,
    guardRequest: createRequestGuards({ till: places.till, scanners: parts.scanners ?? NO_SCANNERS }),
    inlineMedia: parts.inlining === undefined ? INLINE_NOTHING : createMediaInliner(parts.inlining),
    findProvider: parts.providers.find,
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
  const handle = places.guard<WorkerRequest>((work) => (others.get(work.passport.endpointId) ?? chat)(work));
  return { handle: (work) => handle(work).finally(() => parts.finishHold(work.passport)) };
}
