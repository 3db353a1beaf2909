import { z } from 'zod';
import { integer } from '../values';

export const guardrailEnv = z.object({
  /** How long the scanner of a guardrail may take for one question. */
  GUARDRAIL_SCANNER_TIMEOUT_MS: integer(50, 60_000).default(2_000),
});
