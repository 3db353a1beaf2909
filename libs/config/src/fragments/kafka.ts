import { z } from 'zod';
import { integer } from '../values';

export const brokerList = z
  .string()
  .regex(/^[^\s,]+:\d+(,[^\s,]+:\d+)*$/, 'must be host:port[,host:port…]')
  .transform((text) => text.split(','));

/** A consumer silent for this long loses its share: longer than any pause of a living process, within the broker's bounds. */
export const kafkaConsumerEnv = z.object({ KAFKA_SESSION_TIMEOUT_MS: integer(1000, 1_800_000).default(30_000) });

/** How events are published: as they are, or with the attributes of CloudEvents as headers beside. */
export const usageEnvelopeEnv = z.object({ USAGE_EVENT_ENVELOPE: z.enum(['plain', 'cloudevents']).default('plain') });

export const kafkaEnv = z.object({ KAFKA_BROKERS: brokerList });
