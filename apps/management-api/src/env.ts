import { bootstrapApiKey, httpEnv, pepperEnv, postgresEnv, redisEnv, telemetryEnv } from '@weir/config';
import { z } from 'zod';

export const managementApiEnv = z.object({
  ...httpEnv(4003).shape,
  ...pepperEnv.shape,
  ...postgresEnv.shape,
  ...redisEnv.shape,
  ...telemetryEnv.shape,
  /** The value of the first administrator key, for a database that has no organization yet. */
  BOOTSTRAP_API_KEY: bootstrapApiKey.optional(),
});
