import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CACHE, makeOnce } from './make-once';

const FETCH_TIMEOUT_MS = 10 * 60_000;

export const run = promisify(execFile);

export type Artifact = {
  /** Maven coordinates: `group:artifact:version:type[:classifier]`. */
  readonly coordinates: string;
  /** The folder that is kept of it, inside the cache. */
  readonly folder: string;
  /** A file in it that is there when it is whole. */
  readonly proof: string;
  /** Makes the folder out of what Maven copied into `staging`; returns its path. */
  readonly unpack: (staging: string) => Promise<string>;
};

export function isArtifactCached({ folder, proof }: Artifact): boolean {
  return existsSync(join(CACHE, folder, proof));
}

/** Returns the folder of an artifact, fetching it once. It is unpacked beside the cache and moved there whole. */
export async function fetchArtifact(artifact: Artifact): Promise<string> {
  const kept = join(CACHE, artifact.folder);
  await makeOnce({ name: artifact.folder, isKept: () => isArtifactCached(artifact), make: () => fetchInto(kept, artifact) });
  return kept;
}

async function fetchInto(kept: string, { coordinates, unpack }: Artifact): Promise<void> {
  const staging = await mkdtemp(join(CACHE, '.artifact-'));
  try {
    await run('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${coordinates}`, `-DoutputDirectory=${staging}`], {
      cwd: staging,
      timeout: FETCH_TIMEOUT_MS,
    });
    await rename(await unpack(staging), kept);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}
