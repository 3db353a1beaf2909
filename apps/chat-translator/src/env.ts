import {
  bodyLimitEnv,
  catalogEnv,
  failPointEnv,
  fetchEnv,
  guardrailEnv,
  holdEnv,
  httpEnv,
  integer,
  journalEnv,
  kafkaEnv,
  passportEnv,
  providerAccountEnv,
  redisEnv,
  sheddingEnv,
  telemetryEnv,
  upstreamEnv,
  usageEnvelopeEnv,
} from '@weir/config';
import { z } from 'zod';

/** How providers are called, in any shape of the system. */
export const upstreamSettings = z.object({
  ...upstreamEnv.shape,
  ...providerAccountEnv.shape,
  /** All files together that are fetched for one request, because its provider does not fetch them itself. */
  INLINE_BYTES_MAX: integer(1024, 2 ** 29).default(32 * 1024 ** 2),
  ...guardrailEnv.shape,
});

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
