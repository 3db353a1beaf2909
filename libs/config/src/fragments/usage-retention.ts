import { z } from 'zod';
import { integer } from '../values';

/** How long usage is kept in detail. Days are kept for two years, months for ever. */
export const usageRetentionEnv = z.object({
  /** Raw events, by day of admission. */
  USAGE_EVENT_RETENTION_DAYS: integer(1, 3650).default(45),
  /** Usage by the hour; events may be 35 days late. */
  USAGE_HOUR_RETENTION_DAYS: integer(40, 3650).default(135),
});
