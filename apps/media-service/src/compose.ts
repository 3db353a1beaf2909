import { NO_FAIL_POINT, type FailPoint } from '@weir/contracts';
import { createDrainLimit, NO_SCANNERS, type ScannerParts } from '@weir/exchange';
import type { GuardedFetcher } from '@weir/guarded-fetch';
import type { WorkerHandler, WorkerRequest } from '@weir/http-server';
import type { ModelCatalog } from '@weir/model-catalog';
import type { AttemptProviders } from '@weir/providers';
import { createAttemptRunner, createRouteHealth, type RouteHealth } from '@weir/routing';
import { createFreePlaceKeeper, type WorkerMetering } from '@weir/usage-journal';
import { createFilesHandler, isAboutFiles, type FilesParts } from './files/create-files-handler';
import { createKeepResult, type KeepParts } from './images/keep-result';
import { createAskedGuard } from './media/guard-asked';
import { createMediaHandler } from './media/handle-media-request';
import type { MediaLog } from './media/media-kind';

export type MediaServiceParts = WorkerMetering & {
  readonly providers: AttemptProviders;
  readonly catalog: ModelCatalog;
  readonly headersTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly heartbeatMs: number;
  readonly now: () => number;
  readonly failPoint?: FailPoint;
  /** What is known of providers; absent: nothing that anyone else knows. */
  readonly health?: RouteHealth;
  /** See NoteParts. */
  readonly tellsOutcomes?: boolean;
  /** For pictures that are named by address. */
  readonly fetcher: GuardedFetcher;
  /** How guardrails ask scanners; absent: every scanner counts as one that failed. */
  readonly scanners?: ScannerParts;
  readonly log?: MediaLog;
  /** Where files and generated results are kept, and for how long. */
  readonly files: Omit<FilesParts, 'now'>;
  readonly results: Pick<KeepParts, 'linkSecret' | 'ttlMs' | 'publicUrl'>;
};

/** Joins the worker's rooms into one handler for all of its endpoints. */
export function composeMediaService(parts: MediaServiceParts): { readonly handle: WorkerHandler } {
  const { catalog, now } = parts;
  const { blobs } = parts.files;
  const places = createFreePlaceKeeper({ till: parts.till, freeModelDays: parts.freeModelDays, onLost: parts.onPlaceLost });
  const files = createFilesHandler({ ...parts.files, now });
  const handler = createMediaHandler({
    ...parts,
    till: places.till,
    failPoint: parts.failPoint ?? NO_FAIL_POINT,
    drains: createDrainLimit(),
    runner: createAttemptRunner({ health: parts.health ?? createRouteHealth({ now: () => performance.now() }) }),
    tellsOutcomes: parts.tellsOutcomes ?? false,
    findProvider: parts.providers.find,
    findModel: (id: string) => {
      const record = catalog.find(id);
      return record === undefined ? undefined : catalog.facts(record);
    },
    files: blobs,
    guardAsked: createAskedGuard({ till: places.till, scanners: parts.scanners ?? NO_SCANNERS }),
    keepResult: createKeepResult({ ...parts.results, store: blobs, now }),
  });
  const media = places.guard<WorkerRequest>(handler);
  return {
    handle: (work) => {
      if (isAboutFiles(work.passport.endpointId)) return files(work);
      return media(work).finally(() => parts.finishHold(work.passport));
    },
  };
}
