import {
  balanceEnv,
  catalogEnv,
  databaseUrl,
  embeddedEnv,
  failPointEnv,
  fetchEnv,
  httpUrl,
  newerDataAllowed,
  pepperEnv,
  providerAccountEnv,
  redisUrl,
  sealingKeys,
} from '@weir/config';
import { z } from 'zod';

export const operatorEnv = z.object({
  /** The gateway's Postgres; without it, the standalone's own in DATA_DIR. */
  DATABASE_URL: databaseUrl.optional(),
  NEWER_DATA_ALLOWED: newerDataAllowed,
  ...embeddedEnv.shape,
  /** Where the standalone keeps everything. */
  DATA_DIR: z.string().min(1).default('.weir'),
  /** The one the gateway has; without it, the standalone's own in DATA_DIR. */
  KEY_PEPPER: pepperEnv.shape.KEY_PEPPER.optional(),
  KEY_PEPPER_PREVIOUS: pepperEnv.shape.KEY_PEPPER_PREVIOUS,
  /** Those the gateway has; without it, the standalone's own in DATA_DIR. */
  SEALING_KEY: sealingKeys.optional(),
  /** Notifies edges of a change at once; without it, they see it within two seconds. */
  REDIS_URL: redisUrl.optional(),
  /** Those the gateway has, so that changes of the catalogue are compared with what is there. */
  ...catalogEnv.shape,
  /** The file that accounts of documents are written to. */
  PROVIDER_ACCOUNTS_FILE: providerAccountEnv.shape.PROVIDER_ACCOUNTS_FILE,
  /** Calling addresses of lists of models. */
  ...fetchEnv.shape,
  /** As the gateway has it: what an organization used before its first credit then counts. */
  ...balanceEnv.shape,
  ...failPointEnv.shape,
});
export type OperatorEnv = z.infer<typeof operatorEnv>;

/** Of commands that call a gateway as its administrators do. */
export const clientEnv = z.object({
  /** Where the gateway is. */
  WEIR_URL: httpUrl,
  /** A key of the organization with `manage: write`; `read` is enough for `diff` and `export`. */
  WEIR_API_KEY: z.string().min(1),
});

/** A variable that a document names. */
export function readVariable(name: string): string | undefined {
  return process.env[name];
}
