import { z } from 'zod';
import { address, flag, integer } from '../values';

export const databaseUrl = address(/^postgres(ql)?$/, 'postgres://user:password@host:5432/database');

/** Starts on a database, or beside a journal, that only a later version may use. */
export const newerDataAllowed = flag.default(false);

export const postgresEnv = z.object({
  DATABASE_URL: databaseUrl,
  /** Connections per process. */
  DATABASE_POOL_MAX: integer(1, 500).default(10),
  NEWER_DATA_ALLOWED: newerDataAllowed,
});
