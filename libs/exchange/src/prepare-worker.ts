import { NO_FAIL_POINT, type Attempt, type FailPoint } from '@weir/contracts';
import { createServedFinder, type ModelCatalog } from '@weir/model-catalog';
import { createAttemptRunner, createRouteHealth, type FailureNext, type Pacing, type RouteHealth } from '@weir/routing';
import { createReadCoalescer } from '@weir/upstream-http';
import { createRefusalNamer } from './create-refusal-namer';
import { createDrainLimit } from './drain-limit';
import { NO_SCANNERS, type ScannerParts } from './guardrails/ask-scanners';

type NamedProviders = { readonly find: unknown; readonly settingsOf?: ((providerId: string) => string | undefined) | undefined };

/** What a worker is joined from, whatever it serves. */
export type WorkerParts<Providers extends NamedProviders> = {
  readonly providers: Providers;
  readonly catalog: ModelCatalog;
  /** Looks for news of the catalogue, and reports whether there were; absent: the one that planned a request knows it no better. */
  readonly learnModels?: (() => Promise<boolean>) | undefined;
  readonly headersTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly heartbeatMs: number;
  readonly now: () => number;
  readonly failPoint?: FailPoint;
  /** What is known of providers; absent: nothing that anyone else knows. */
  readonly health?: RouteHealth;
  /** How requests wait for providers that refuse them for their rate; absent: none waits. */
  readonly pacing?: Pacing;
  /** Counts attempts that failed before anything reached the caller. */
  readonly onAttemptFailed?: ((providerId: string, code: string, next: FailureNext) => void) | undefined;
  /** See RunParts. */
  readonly reportsOutcomes?: boolean;
  /** How guardrails ask scanners; absent: every scanner counts as one that failed. */
  readonly scanners?: ScannerParts;
};

/** What all requests of one worker share. */
export function prepareWorker<Providers extends NamedProviders>(parts: WorkerParts<Providers>) {
  const { catalog, failPoint = NO_FAIL_POINT, reportsOutcomes = false, scanners = NO_SCANNERS } = parts;
  const findRow = createServedFinder(catalog);
  const health = parts.health ?? createRouteHealth({ now: () => performance.now() });
  return {
    failPoint,
    reportsOutcomes,
    scanners,
    drains: createDrainLimit(),
    rest: createReadCoalescer(),
    runner: createAttemptRunner({
      health,
      explain: createRefusalNamer((id) => parts.providers.settingsOf?.(id)),
      ...(parts.learnModels === undefined ? {} : { learnModels: parts.learnModels }),
      onFailed: ({ providerId }, code, next) => parts.onAttemptFailed?.(providerId, code, next),
      ...(parts.pacing === undefined ? {} : { pacing: parts.pacing }),
    }),
    findProvider: parts.providers.find as Providers['find'],
    findModel: (id: string) => {
      // Also one that was removed after the request was admitted.
      const record = catalog.recall(id);
      return record === undefined ? undefined : catalog.facts(record);
    },
    findServed: (attempt: Attempt, reported: string) => {
      const record = findRow(attempt, reported);
      return record === undefined ? undefined : { modelId: record.id, prices: catalog.priceSheet(record) };
    },
  };
}
