import { z } from 'zod';
import { integer } from '../values';
import { consoleSwitch } from './console';
import { deploymentEnv } from './deployment';
import { holdEnv } from './hold';
import { providerAccountEnv } from './provider-accounts';
import { balanceEnv } from './secrets';

/** What the edge decides by, in any shape of the system. */
export const edgeSettings = z.object({
  /** Used when a chat completion names no model. */
  DEFAULT_CHAT_MODEL: z.string().default('openai/gpt-4o-mini'),
  /** The longest a request may take in all. */
  REQUEST_TIMEOUT_MS: integer(1000, 3_600_000).default(600_000),
  ...holdEnv.shape,
  ...deploymentEnv.shape,
  ...balanceEnv.shape,
  ...consoleSwitch.shape,
  ...providerAccountEnv.shape,
  /** All responses in the response cache together; 0 keeps none. */
  RESPONSE_CACHE_BYTES_MAX: integer(0, 2 ** 40).default(64 * 1024 ** 2),
  /** How long counters of limits may take to answer before they count as away. */
  LIMITS_TIMEOUT_MS: integer(1, 10_000).default(15),
});
