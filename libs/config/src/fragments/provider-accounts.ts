import { z } from 'zod';
import { httpUrl, integer } from '../values';

/** Several accounts at one provider, and the Vault in which their secrets may be. */
export const providerAccountEnv = z.object({
  /** A file of accounts (providers.json); read again while the process runs. */
  PROVIDER_ACCOUNTS_FILE: z.string().min(1).optional(),
  /** How often accounts and their secrets are read again. */
  PROVIDER_ACCOUNTS_POLL_MS: integer(100, 3_600_000).default(2_000),
  VAULT_ADDR: httpUrl.optional(),
  VAULT_TOKEN: z.string().min(1).optional(),
  /** Written by an agent of Vault; read again for each use. */
  VAULT_TOKEN_FILE: z.string().min(1).optional(),
  /** Logs in by the service account of the pod, instead of by a token. */
  VAULT_ROLE: z.string().min(1).optional(),
  /** Where Kubernetes logins are mounted in Vault. */
  VAULT_AUTH_MOUNT: z.string().min(1).default('kubernetes'),
  VAULT_NAMESPACE: z.string().min(1).optional(),
  /** A file of certificates that Vault’s own is checked by. */
  VAULT_CACERT: z.string().min(1).optional(),
  VAULT_TIMEOUT_MS: integer(100, 60_000).default(5_000),
});
