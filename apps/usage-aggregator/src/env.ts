import {
  balanceEnv,
  clickHouseEnv,
  clickHouseFeedEnv,
  failPointEnv,
  fetchEnv,
  httpEnv,
  integer,
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
import { HOLD_CHECK_MS } from './reconcile-holds';

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
  /** How often the counters of limits are compared with what is committed. */
  HOLD_CHECK_MS: integer(1_000, 3_600_000).default(HOLD_CHECK_MS),
  /** Opens what webhooks are signed with, and addresses that are secrets. Without it alerts are noticed, and delivered once it is given. */
  SEALING_KEY: sealingKeys.optional(),
});

export type UsageAggregatorEnv = z.infer<typeof usageAggregatorEnv>;
