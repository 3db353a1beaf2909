import type { identityEnv } from '@weir/config';
import type { z } from 'zod';
import { createLocalIdentityProvider } from './create-local-identity-provider';
import type { IdentityProvider } from '../ports/identity-provider';
import { createKeycloakIdentityProvider } from './keycloak/create-keycloak-identity-provider';

/** The adapter that the settings ask for. Throws when they ask for half a Keycloak. */
export function createIdentityProvider(env: z.infer<typeof identityEnv>): IdentityProvider {
  const { KEYCLOAK_URL: url, KEYCLOAK_REALM: realm, KEYCLOAK_CLIENT_ID: clientId, KEYCLOAK_CLIENT_SECRET: clientSecret } = env;
  if (url === undefined) return createLocalIdentityProvider();
  if (realm === undefined || clientId === undefined || clientSecret === undefined) {
    throw new Error('KEYCLOAK_URL needs KEYCLOAK_REALM, KEYCLOAK_CLIENT_ID and KEYCLOAK_CLIENT_SECRET beside it.');
  }
  return createKeycloakIdentityProvider({ url, realm, clientId, clientSecret });
}
