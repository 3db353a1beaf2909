import { z } from 'zod';
import { integer } from '../values';

/** Money set aside for running requests. The same in edge-router and the workers. */
export const holdEnv = z.object({
  /** A hold that no worker renews for so long is no one's, and is given back once that is certain. */
  HOLD_TTL_MS: integer(1_000, 3_600_000).default(90_000),
});

/** In whatever process counts usage. */
export const holdCheckEnv = z.object({
  /** How often the counters of limits are compared with what is committed. */
  HOLD_CHECK_MS: integer(1_000, 3_600_000).default(60_000),
});
