import { z } from 'zod';
import { integer } from '../values';

export const databaseUrl = z.url({ protocol: /^postgres(ql)?$/ });

export const postgresEnv = z.object({
  DATABASE_URL: databaseUrl,
  /** Connections per process. */
  DATABASE_POOL_MAX: integer(1, 500).default(10),
});
