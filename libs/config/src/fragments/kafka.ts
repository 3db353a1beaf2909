import { z } from 'zod';

export const brokerList = z
  .string()
  .regex(/^[^\s,]+:\d+(,[^\s,]+:\d+)*$/, 'must be host:port[,host:port…]')
  .transform((text) => text.split(','));

export const kafkaEnv = z.object({ KAFKA_BROKERS: brokerList });
