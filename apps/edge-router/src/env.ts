import {
  bodyLimitEnv,
  catalogEnv,
  counterOwnerEnv,
  edgeSettings,
  httpEnv,
  httpUrls,
  passportEnv,
  pepperEnv,
  postgresEnv,
  protectionEnv,
  redisEnv,
  sealingKeys,
  telemetryEnv,
  uploadEnv,
} from '@weir/config';
import { z } from 'zod';

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
  ...counterOwnerEnv.pick({ COUNTERS_OWNER_WAIT_MS: true }).shape,
  ...telemetryEnv.shape,
  ...catalogEnv.shape,
  /** Where the workers are: base URLs with commas between them, of one process each, or of as many as a name has records. */
  CHAT_TRANSLATOR_URL: httpUrls,
  MEDIA_SERVICE_URL: httpUrls,
});
