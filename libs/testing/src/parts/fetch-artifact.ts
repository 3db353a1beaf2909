import { lockDirectory, type DirectoryLock } from '@weir/directory-lock';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const CACHE = join(__dirname, '..', '..', '..', '..', '.tmp');
const FETCH_TIMEOUT_MS = 10 * 60_000;
const LOOK_AGAIN_MS = 200;

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

/**
 * Returns the folder of an artifact, fetching it once. It is unpacked beside the cache and moved there whole. Suites that need
 * the same one wait for the first of them: unpacking can take both cores for a minute.
 */
export async function fetchArtifact(artifact: Artifact): Promise<string> {
  const kept = join(CACHE, artifact.folder);
  if (isArtifactCached(artifact)) return kept;
  await mkdir(CACHE, { recursive: true });
  const lock = await waitForLock(`.fetching-${artifact.folder}`);
  try {
    if (!isArtifactCached(artifact)) await fetchInto(kept, artifact);
  } finally {
    lock.release();
  }
  return kept;
}

async function waitForLock(name: string): Promise<DirectoryLock> {
  const giveUpAtMs = Date.now() + FETCH_TIMEOUT_MS;
  for (;;) {
    const lock = lockDirectory(CACHE, name);
    if (lock !== undefined) return lock;
    if (Date.now() > giveUpAtMs) throw new Error(`another process has been fetching for ${FETCH_TIMEOUT_MS} ms: ${name}`);
    await pause(LOOK_AGAIN_MS);
  }
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
