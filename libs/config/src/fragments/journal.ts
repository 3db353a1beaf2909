import { z } from 'zod';
import { integer } from '../values';
import { newerDataAllowed } from './postgres';

/** The usage journal. Its directory must outlive the process: what is in it has not reached the rollups yet. */
export const journalEnv = z.object({
  JOURNAL_DIR: z.string().min(1),
  /**
   * `process` survives every death of the process (records are with the kernel before a reply ends); `power` also
   * survives the machine losing power (records are on disk before a reply ends), for some milliseconds a request.
   */
  USAGE_DURABILITY: z.enum(['process', 'power']).default('process'),
  /** At 95 % of this, billable requests are refused with 503: nothing runs unmetered. */
  JOURNAL_BYTES_MAX: integer(1 << 20, 2 ** 46).default(10 * 1024 ** 3),
  /** The journal is kept in files of this size, and trimmed by whole files. */
  JOURNAL_SEGMENT_BYTES: integer(4096, 2 ** 30).default(64 * 1024 ** 2),
  /** Published, but not in the rollups after this long: published again, in case the bus lost it. */
  JOURNAL_RESEND_AFTER_MS: integer(1000, 86_400_000).default(120_000),
  NEWER_DATA_ALLOWED: newerDataAllowed,
});
