import {
  blobStoreEnv,
  bodyLimitEnv,
  catalogEnv,
  failPointEnv,
  fetchEnv,
  guardrailEnv,
  holdEnv,
  httpEnv,
  journalEnv,
  kafkaEnv,
  passportEnv,
  redisEnv,
  telemetryEnv,
  uploadEnv,
  upstreamEnv,
} from '@weir/config';
import { z } from 'zod';

export const mediaServiceEnv = z.object({
  ...httpEnv(4002).shape,
  ...bodyLimitEnv.shape,
  ...uploadEnv.shape,
  ...blobStoreEnv.shape,
  ...upstreamEnv.shape,
  ...fetchEnv.shape,
  ...guardrailEnv.shape,
  ...passportEnv.shape,
  ...journalEnv.shape,
  ...kafkaEnv.shape,
  ...redisEnv.shape,
  ...telemetryEnv.shape,
  ...catalogEnv.shape,
  ...failPointEnv.shape,
  ...holdEnv.shape,
});
export type MediaServiceEnv = z.infer<typeof mediaServiceEnv>;
