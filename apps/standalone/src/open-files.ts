import { openBlobStore, startBlobSweeps, type BlobStore } from '@weir/blob-store';
import type { Logger } from '@weir/telemetry';
import { join } from 'node:path';
import type { StandaloneEnv } from './env';

const SWEEP_EVERY_MS = 60_000;

export type LocalFiles = { readonly blobs: BlobStore; close(): Promise<void> };

/**
 * Where files and generated results are kept: inside DATA_DIR unless the environment names another place. One process of
 * those that share them removes what has expired.
 */
export function openFiles(env: StandaloneEnv, log: Logger, { isSwept }: { readonly isSwept: boolean }): LocalFiles {
  const blobs = openBlobStore({ ...env, BLOB_DIR: env.BLOB_DIR ?? join(env.DATA_DIR, 'files') }, Date.now);
  if (!isSwept) return { blobs, close: () => Promise.resolve(blobs.close()) };
  const stopSweeps = startBlobSweeps({
    store: blobs,
    everyMs: SWEEP_EVERY_MS,
    now: Date.now,
    onError: (error) => log.warn({ error }, 'expired files could not be removed; trying again'),
  });
  return {
    blobs,
    close: async () => {
      await stopSweeps();
      blobs.close();
    },
  };
}
