import { prepareWorker, type WorkerParts } from '@weir/exchange';
import type { GuardedFetcher } from '@weir/guarded-fetch';
import type { WorkerHandler } from '@weir/http-server';
import type { AttemptProviders } from '@weir/providers';
import type { WorkerMetering } from '@weir/meter';
import { createFilesHandler, isAboutFiles, type FilesParts } from './files/create-files-handler';
import { createKeepResult, type KeepParts } from './media/keep-result';
import { createMediaGuard } from './media/guard-media-request';
import { createMediaHandler } from './handle-media-request';
import type { MediaLog } from './media/media-modality';
import type { MeasureSeconds } from './recordings/create-length-measurer';

type MediaServiceParts = WorkerMetering &
  WorkerParts<AttemptProviders> & {
    /** For pictures that are named by address. */
    readonly fetcher: GuardedFetcher;
    /** Of recordings: see `createLengthMeasurer`. */
    readonly measureSeconds: MeasureSeconds;
    readonly log?: MediaLog;
    /** Where files and generated results are kept, and for how long. */
    readonly files: Omit<FilesParts, 'now'>;
    readonly results: Pick<KeepParts, 'linkSecret' | 'ttlMs' | 'publicUrl'>;
  };

/** Joins the parts of the worker into one handler for all of its endpoints. */
export function composeMediaService(parts: MediaServiceParts): { readonly handle: WorkerHandler } {
  const { now } = parts;
  const prepared = prepareWorker(parts);
  const { blobs } = parts.files;
  const files = createFilesHandler({ ...parts.files, now });
  const media = createMediaHandler({
    ...parts,
    ...prepared,
    files: blobs,
    guardRequest: createMediaGuard({ scanners: prepared.scanners }),
    keepResult: createKeepResult({ ...parts.results, store: blobs, now }),
  });
  return { handle: (forwarded) => (isAboutFiles(forwarded.passport.endpointId) ? files(forwarded) : media(forwarded)) };
}
