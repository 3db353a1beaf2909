import {
  balanceEnv,
  clickHouseEnv,
  clickHouseFeedEnv,
  failPointEnv,
  fetchEnv,
  holdCheckEnv,
  httpEnv,
  kafkaConsumerEnv,
  kafkaEnv,
  logExportEnv,
  paymentEnv,
  postgresEnv,
  redisEnv,
  sealingKeys,
  smtpEnv,
  telemetryEnv,
  usageFilesEnv,
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
  ...logExportEnv.shape,
  ...usageRetentionEnv.shape,
  ...clickHouseEnv.shape,
  ...clickHouseFeedEnv.shape,
  ...usageFilesEnv.shape,
  ...failPointEnv.shape,
  ...fetchEnv.shape,
  ...paymentEnv.shape,
  ...balanceEnv.shape,
  ...smtpEnv.shape,
  ...holdCheckEnv.shape,
  /** Opens what webhooks are signed with, and addresses that are secrets. Without it alerts are noticed, and delivered once it is given. */
  SEALING_KEY: sealingKeys.optional(),
});

export type UsageAggregatorEnv = z.infer<typeof usageAggregatorEnv>;
