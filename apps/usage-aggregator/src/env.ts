import {
  failPointEnv,
  fetchEnv,
  httpEnv,
  kafkaConsumerEnv,
  kafkaEnv,
  paymentEnv,
  postgresEnv,
  redisEnv,
  sealingKeys,
  telemetryEnv,
  usageRetentionEnv,
} from '@weir/config';
import { z } from 'zod';

export const usageAggregatorEnv = z.object({
  ...httpEnv(4004).shape,
  ...postgresEnv.shape,
  ...kafkaEnv.shape,
  ...kafkaConsumerEnv.shape,
  ...redisEnv.shape,
  ...telemetryEnv.shape,
  ...usageRetentionEnv.shape,
  ...failPointEnv.shape,
  ...fetchEnv.shape,
  ...paymentEnv.shape,
  /** Opens what webhooks are signed with. Without it alerts are noticed, and delivered once it is given. */
  SEALING_KEY: sealingKeys.optional(),
});
