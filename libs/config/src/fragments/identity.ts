import { z } from 'zod';
import { httpUrl } from '../values';

/** A Keycloak (26 or newer, with organizations) for people to sign in at. Without a URL there is none. */
export const identityEnv = z.object({
  KEYCLOAK_URL: httpUrl.optional(),
  KEYCLOAK_REALM: z.string().min(1).optional(),
  /** A confidential client whose service account has the realm-management roles manage-users and manage-realm. */
  KEYCLOAK_CLIENT_ID: z.string().min(1).optional(),
  KEYCLOAK_CLIENT_SECRET: z.string().min(1).optional(),
});
