import { join } from 'node:path';
import { fetchArtifact, isArtifactCached, run, type Artifact } from './fetch-artifact';

const VERSION = '26.4.0';

const KEYCLOAK: Artifact = {
  coordinates: `org.keycloak:keycloak-quarkus-dist:${VERSION}:tar.gz`,
  folder: `keycloak-${VERSION}`,
  proof: join('bin', 'kc.sh'),
  unpack: async (staging) => {
    await run('tar', ['-xzf', `keycloak-quarkus-dist-${VERSION}.tar.gz`], { cwd: staging });
    return join(staging, `keycloak-${VERSION}`);
  },
};

export function isKeycloakCached(): boolean {
  return isArtifactCached(KEYCLOAK);
}

/** Returns the folder of a Keycloak, fetching it by Maven coordinates once. */
export function fetchKeycloak(): Promise<string> {
  return fetchArtifact(KEYCLOAK);
}
