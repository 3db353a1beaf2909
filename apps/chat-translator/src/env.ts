import {
  bodyLimitEnv,
  catalogEnv,
  failPointEnv,
  fetchEnv,
  holdEnv,
  httpEnv,
  journalEnv,
  kafkaEnv,
  passportEnv,
  redisEnv,
  sheddingEnv,
  telemetryEnv,
  upstreamSettings,
  usageEnvelopeEnv,
} from '@weir/config';
import { z } from 'zod';

export const chatTranslatorEnv = z.object({
  ...httpEnv(4001).shape,
  ...bodyLimitEnv.shape,
  ...upstreamSettings.shape,
  ...fetchEnv.shape,
  ...passportEnv.shape,
  ...journalEnv.shape,
  ...kafkaEnv.shape,
  ...usageEnvelopeEnv.shape,
  ...redisEnv.shape,
  ...telemetryEnv.shape,
  ...catalogEnv.shape,
  ...failPointEnv.shape,
  ...holdEnv.shape,
  ...sheddingEnv.shape,
});
