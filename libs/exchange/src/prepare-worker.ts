import { NO_FAIL_POINT, type FailPoint } from '@weir/contracts';
import type { ModelCatalog } from '@weir/model-catalog';
import { createAttemptRunner, createRouteHealth, type Pacing, type RouteHealth } from '@weir/routing';
import { createReadCoalescer } from '@weir/upstream-http';
import { createRefusalNamer } from './create-refusal-namer';
import { createDrainLimit } from './drain-limit';
import { NO_SCANNERS, type ScannerParts } from './guardrails/ask-scanners';

type NamedProviders = { readonly find: unknown; readonly settingsOf?: ((providerId: string) => string | undefined) | undefined };

/** What a worker is joined from, whatever it serves. */
export type WorkerParts<Providers extends NamedProviders> = {
  readonly providers: Providers;
  readonly catalog: ModelCatalog;
  readonly headersTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly heartbeatMs: number;
  readonly now: () => number;
  readonly failPoint?: FailPoint;
  /** What is known of providers; absent: nothing that anyone else knows. */
  readonly health?: RouteHealth;
  /** How requests wait for providers that refuse them for their rate; absent: none waits. */
  readonly pacing?: Pacing;
  /** See RunParts. */
  readonly reportsOutcomes?: boolean;
  /** How guardrails ask scanners; absent: every scanner counts as one that failed. */
  readonly scanners?: ScannerParts;
};

/** What all requests of one worker share. */
export function prepareWorker<Providers extends NamedProviders>(parts: WorkerParts<Providers>) {
  const { catalog, failPoint = NO_FAIL_POINT, reportsOutcomes = false, scanners = NO_SCANNERS } = parts;
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
      ...(parts.pacing === undefined ? {} : { pacing: parts.pacing }),
    }),
    findProvider: parts.providers.find as Providers['find'],
    findModel: (id: string) => {
      const record = catalog.find(id);
      return record === undefined ? undefined : catalog.facts(record);
    },
  };
}
