import { bootstrapApiKey, catalogEnv, fetchEnv, httpEnv, pepperEnv, postgresEnv, redisEnv, sealingEnv, telemetryEnv } from '@weir/config';
import { z } from 'zod';
import { identityEnv } from './identity/create-identity-provider';

export const managementApiEnv = z.object({
  ...httpEnv(4003).shape,
  ...pepperEnv.shape,
  ...postgresEnv.shape,
  ...redisEnv.shape,
  ...sealingEnv.shape,
  ...fetchEnv.shape,
  ...telemetryEnv.shape,
  ...catalogEnv.shape,
  ...identityEnv.shape,
  /** The value of the first administrator key, for a database that has no organization yet. */
  BOOTSTRAP_API_KEY: bootstrapApiKey.optional(),
});
