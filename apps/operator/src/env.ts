import { balanceEnv, databaseUrl, pepperEnv, redisUrl, sealingKeys } from '@weir/config';
import { z } from 'zod';

export const operatorEnv = z.object({
  /** The gateway's Postgres; without it, the standalone's own in DATA_DIR. */
  DATABASE_URL: databaseUrl.optional(),
  /** Where the standalone keeps everything. */
  DATA_DIR: z.string().min(1).default('.weir'),
  /** The one the gateway has; without it, the standalone's own in DATA_DIR. */
  KEY_PEPPER: pepperEnv.shape.KEY_PEPPER.optional(),
  KEY_PEPPER_PREVIOUS: pepperEnv.shape.KEY_PEPPER_PREVIOUS,
  /** Those the gateway has; without it, the standalone's own in DATA_DIR. */
  SEALING_KEY: sealingKeys.optional(),
  /** Notifies edges of a change at once; without it, they see it within two seconds. */
  REDIS_URL: redisUrl.optional(),
  /** As the gateway has it: what an organization used before its first credit then counts. */
  ...balanceEnv.shape,
});
export type OperatorEnv = z.infer<typeof operatorEnv>;
