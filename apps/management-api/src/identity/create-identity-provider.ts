import { httpUrl } from '@weir/config';
import { z } from 'zod';
import { createLocalIdentityProvider } from './create-local-identity-provider';
import type { IdentityProvider } from '../ports/identity-provider';
import { createKeycloakIdentityProvider } from './keycloak/create-keycloak-identity-provider';

/** A Keycloak (26 or newer, with organizations) for people to sign in at. Without a URL there is none. */
export const identityEnv = z.object({
  KEYCLOAK_URL: httpUrl.optional(),
  KEYCLOAK_REALM: z.string().min(1).optional(),
  /** A confidential client whose service account has the realm-management roles manage-users and manage-realm. */
  KEYCLOAK_CLIENT_ID: z.string().min(1).optional(),
  KEYCLOAK_CLIENT_SECRET: z.string().min(1).optional(),
});

/** The adapter that the settings ask for. Throws when they ask for half a Keycloak. */
export function createIdentityProvider(env: z.infer<typeof identityEnv>): IdentityProvider {
  const { KEYCLOAK_URL: url, KEYCLOAK_REALM: realm, KEYCLOAK_CLIENT_ID: clientId, KEYCLOAK_CLIENT_SECRET: clientSecret } = env;
  if (url === undefined) return createLocalIdentityProvider();
  if (realm === undefined || clientId === undefined || clientSecret === undefined) {
    throw new Error('KEYCLOAK_URL needs KEYCLOAK_REALM, KEYCLOAK_CLIENT_ID and KEYCLOAK_CLIENT_SECRET beside it.');
  }
  return createKeycloakIdentityProvider({ url, realm, clientId, clientSecret });
}
