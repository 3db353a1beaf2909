import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const VERSION = '26.4.0';
const REPOSITORY_ROOT = join(__dirname, '..', '..', '..', '..');
const CACHE = join(REPOSITORY_ROOT, '.tmp', `keycloak-${VERSION}`);
const FETCH_TIMEOUT_MS = 10 * 60_000;

const run = promisify(execFile);

export function isKeycloakCached(): boolean {
  return existsSync(join(CACHE, 'bin', 'kc.sh'));
}

/** Answers the folder of a Keycloak, fetching it by Maven coordinates once. It is unpacked beside the cache and moved there whole. */
export async function fetchKeycloak(): Promise<string> {
  if (isKeycloakCached()) return CACHE;
  await mkdir(join(REPOSITORY_ROOT, '.tmp'), { recursive: true });
  const staging = await mkdtemp(join(REPOSITORY_ROOT, '.tmp', '.keycloak-'));
  try {
    const artifact = `org.keycloak:keycloak-quarkus-dist:${VERSION}:tar.gz`;
    await run('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${staging}`], {
      cwd: staging,
      timeout: FETCH_TIMEOUT_MS,
    });
    await run('tar', ['-xzf', `keycloak-quarkus-dist-${VERSION}.tar.gz`], { cwd: staging });
    await rename(join(staging, `keycloak-${VERSION}`), CACHE).catch((error: unknown) => {
      // Another process fetched it meanwhile: its copy is as good as ours.
      if (!isKeycloakCached()) throw error;
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return CACHE;
}
