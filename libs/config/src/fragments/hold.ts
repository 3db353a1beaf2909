import { z } from 'zod';
import { integer } from '../values';

/** Money set aside for running requests. The same in edge-router and the workers. */
export const holdEnv = z.object({
  /** A hold that no worker renews for so long is no one's, and is given back once that is certain. */
  HOLD_TTL_MS: integer(1_000, 3_600_000).default(90_000),
});

/** Who keeps counters of limits in memory: one process of all that share a database. */
export const counterOwnerEnv = z.object({
  /** The longest silence after which a process still owns the counters: so long may the database be away, and so long is one waited for of which nothing is known. */
  COUNTERS_OWNER_TTL_MS: integer(2_000, 86_400_000).default(1_200_000),
  /** How long a start waits while another process counts. */
  COUNTERS_OWNER_WAIT_MS: integer(0, 3_600_000).default(30_000),
});

/** In whatever process counts usage. */
export const holdCheckEnv = z.object({
  /** How often the counters of limits are compared with what is committed. */
  HOLD_CHECK_MS: integer(1_000, 3_600_000).default(60_000),
});
