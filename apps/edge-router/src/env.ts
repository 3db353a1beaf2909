import {
  balanceEnv,
  bodyLimitEnv,
  catalogEnv,
  consoleSwitch,
  deploymentEnv,
  holdEnv,
  httpEnv,
  httpUrl,
  integer,
  passportEnv,
  pepperEnv,
  postgresEnv,
  providerAccountEnv,
  protectionEnv,
  redisEnv,
  sealingKeys,
  telemetryEnv,
  uploadEnv,
} from '@weir/config';
import { z } from 'zod';

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

export const edgeRouterEnv = z.object({
  /** Opens stored provider credentials. Without it, organizations that have some are refused. */
  SEALING_KEY: sealingKeys.optional(),
  ...httpEnv(4000).shape,
  ...protectionEnv.shape,
  ...bodyLimitEnv.shape,
  ...uploadEnv.shape,
  ...edgeSettings.shape,
  ...pepperEnv.shape,
  ...passportEnv.shape,
  ...postgresEnv.shape,
  ...redisEnv.shape,
  ...telemetryEnv.shape,
  ...catalogEnv.shape,
  /** Where the workers are, as base URLs. */
  CHAT_TRANSLATOR_URL: httpUrl,
  MEDIA_SERVICE_URL: httpUrl,
});
