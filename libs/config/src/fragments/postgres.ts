import { z } from 'zod';
import { flag, integer } from '../values';

export const databaseUrl = z.url({ protocol: /^postgres(ql)?$/ });

/** Starts on a database, or beside a journal, that only a later version may use. */
export const newerDataAllowed = flag.default(false);

export const postgresEnv = z.object({
  DATABASE_URL: databaseUrl,
  /** Connections per process. */
  DATABASE_POOL_MAX: integer(1, 500).default(10),
  NEWER_DATA_ALLOWED: newerDataAllowed,
});
