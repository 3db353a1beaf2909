import { httpEnv, kafkaEnv, postgresEnv, redisEnv, telemetryEnv } from '@weir/config';
import { z } from 'zod';

export const usageAggregatorEnv = z.object({
  ...httpEnv(4004).shape,
  ...postgresEnv.shape,
  ...kafkaEnv.shape,
  ...redisEnv.shape,
  ...telemetryEnv.shape,
});
