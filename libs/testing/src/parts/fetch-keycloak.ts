import { join } from 'node:path';
import { fetchArtifact, isArtifactCached, run, type Artifact } from './fetch-artifact';

const VERSION = '26.4.0';

const BUILD_TIMEOUT_MS = 300_000;
/** What a Keycloak is built for: its data in memory. Each start of one that is not built writes into its folder, and two at once break it. */
const BUILD_OPTIONS = ['--db=dev-mem'];

const KEYCLOAK: Artifact = {
  coordinates: `org.keycloak:keycloak-quarkus-dist:${VERSION}:tar.gz`,
  folder: `keycloak-${VERSION}-built`,
  proof: join('bin', 'kc.sh'),
  unpack: async (staging) => {
    await run('tar', ['-xzf', `keycloak-quarkus-dist-${VERSION}.tar.gz`], { cwd: staging });
    const folder = join(staging, `keycloak-${VERSION}`);
    await run(join(folder, 'bin', 'kc.sh'), ['build', ...BUILD_OPTIONS], { timeout: BUILD_TIMEOUT_MS });
    return folder;
  },
};

export function isKeycloakCached(): boolean {
  return isArtifactCached(KEYCLOAK);
}

/** Returns the folder of a Keycloak that is built, fetching it by Maven coordinates once. */
export function fetchKeycloak(): Promise<string> {
  return fetchArtifact(KEYCLOAK);
}
