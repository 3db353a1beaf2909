import { bodyLimitEnv, httpEnv, httpUrl, integer, passportEnv, pepperEnv, postgresEnv, redisEnv, telemetryEnv } from '@weir/config';
import { z } from 'zod';

/** What the edge decides by, in any shape of the system. */
export const edgeSettings = z.object({
  /** Used when a chat completion names no model. */
  DEFAULT_CHAT_MODEL: z.string().default('openai/gpt-4o-mini'),
  /** The longest a request may take in all. */
  REQUEST_TIMEOUT_MS: integer(1000, 3_600_000).default(600_000),
});

export const edgeRouterEnv = z.object({
  ...httpEnv(4000).shape,
  ...bodyLimitEnv.shape,
  ...edgeSettings.shape,
  ...pepperEnv.shape,
  ...passportEnv.shape,
  ...postgresEnv.shape,
  ...redisEnv.shape,
  ...telemetryEnv.shape,
  /** Where the workers are, as base URLs. */
  CHAT_TRANSLATOR_URL: httpUrl,
  MEDIA_SERVICE_URL: httpUrl,
});
