import { NO_FAIL_POINT, TOPICS, USAGE_CONSUMER_GROUP, type FailPoint } from '@weir/contracts';
import { CompressionCodecs, CompressionTypes, Kafka, logLevel, type KafkaConfig } from 'kafkajs';
import type { BusLog, UsageBus } from '../usage-bus';
import { createKafkaConsumer } from './create-kafka-consumer';
import { createKafkaPublisher } from './create-kafka-publisher';
import { createLogBridge } from './create-log-bridge';
import { createGzipCodec, createRefusingCodec } from './gzip-codec';
import type { UsageEnvelope } from './usage-record';

type KafkaUsageBusOptions = {
  /** `host:port`, comma separated or as a list. */
  readonly brokers: string | readonly string[];
  /** How brokers are reached; absent: in the clear, as no one. */
  readonly security?: Pick<KafkaConfig, 'ssl' | 'sasl'>;
  readonly clientId: string;
  readonly log: BusLog;
  readonly topic?: string;
  readonly groupId?: string;
  readonly sessionTimeoutMs?: number;
  readonly failPoint?: FailPoint;
  /** Of what is published; consumers read either. */
  readonly envelope?: UsageEnvelope;
};

/** The bus between processes. Neither side connects before it is used. */
export function createKafkaUsageBus(options: KafkaUsageBusOptions): UsageBus {
  setCodecs(options.log);
  const brokers = typeof options.brokers === 'string' ? options.brokers.split(',').map((broker) => broker.trim()) : [...options.brokers];
  const kafka = new Kafka({
    clientId: options.clientId,
    brokers,
    ...options.security,
    logLevel: logLevel.WARN,
    logCreator: createLogBridge(options.log),
    connectionTimeout: 3_000,
    requestTimeout: 15_000,
    retry: { initialRetryTime: 100, maxRetryTime: 3_000, retries: 5 },
  });
  const topic = options.topic ?? TOPICS.usage.name;
  const { sessionTimeoutMs, failPoint = NO_FAIL_POINT, envelope = 'plain' } = options;
  return {
    publisher: createKafkaPublisher({ kafka, topic, failPoint, envelope }),
    consumer: createKafkaConsumer({
      kafka,
      brokers: brokers.join(', '),
      topic,
      groupId: options.groupId ?? USAGE_CONSUMER_GROUP,
      log: options.log,
      ...(sessionTimeoutMs === undefined ? {} : { sessionTimeoutMs }),
    }),
  };
}

/** The client keeps one set of codecs for the process. */
function setCodecs(log: BusLog): void {
  CompressionCodecs[CompressionTypes.GZIP] = () => createGzipCodec(log);
  for (const type of [CompressionTypes.Snappy, CompressionTypes.LZ4, CompressionTypes.ZSTD] as const) {
    CompressionCodecs[type] = () => createRefusingCodec(log);
  }
}
