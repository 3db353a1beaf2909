import type { createFailPoint } from '@weir/config';
import { createKafkaUsageBus } from '@weir/event-bus';
import { createRedis, createRedisFreePlaceReturns, createRedisHoldStore, createRedisWatermarkStore } from '@weir/redis-stores';
import {
  createAttemptMetrics,
  createMeteringMetrics,
  registerJournalMetrics,
  type Logger,
  type MetricsRegistry,
  type Tracing,
} from '@weir/telemetry';
import { createAttemptObserver, openMetering, type AttemptObserver, type Metering } from '@weir/usage-journal';
import type { MediaServiceParts } from './compose';
import type { MediaServiceEnv } from './env';

const SHIP_ON_STOP_MS = 10_000;

export type MeteringSources = {
  readonly env: MediaServiceEnv;
  readonly log: Logger;
  readonly registry: MetricsRegistry;
  readonly tracing: Tracing | undefined;
  readonly failPoint: ReturnType<typeof createFailPoint>;
};

/** The money path of this process: journal → bus, holds and free places → Redis. */
export type MeteringParts = Pick<MediaServiceParts, 'freeModelDays' | 'onPlaceLost'> & {
  readonly metering: Metering;
  readonly attempts: AttemptObserver;
  close(): Promise<void>;
};

export function openMeteringParts({ env, log, registry, tracing, failPoint }: MeteringSources): MeteringParts {
  const redis = createRedis(env.REDIS_URL, log);
  const holdStore = createRedisHoldStore(redis, log);
  const bus = createKafkaUsageBus({ brokers: env.KAFKA_BROKERS, clientId: 'weir-media-service', log, failPoint });
  const metering = openMetering({
    directory: env.JOURNAL_DIR,
    durability: env.USAGE_DURABILITY,
    bytesMax: env.JOURNAL_BYTES_MAX,
    segmentBytesMax: env.JOURNAL_SEGMENT_BYTES,
    resendAfterMs: env.JOURNAL_RESEND_AFTER_MS,
    publish: (events) => bus.publisher.publish(events),
    watermarks: createRedisWatermarkStore(redis),
    log,
    onLost: createMeteringMetrics(registry).gap,
    onFailure: () => process.exit(1),
    failPoint,
    holds: { store: holdStore, ttlMs: env.HOLD_TTL_MS },
  });
  registerJournalMetrics(registry, metering.read);
  return {
    metering,
    attempts: createAttemptObserver({
      ...{ till: metering.till, metrics: createAttemptMetrics(registry), tracing, isTracingProviders: env.TRACE_PROVIDERS },
    }),
    freeModelDays: createRedisFreePlaceReturns(redis),
    onPlaceLost: (error) => log.warn({ error }, 'a place of a free-model day could not be given back'),
    close: async () => {
      await metering.drain(SHIP_ON_STOP_MS, 'published');
      await metering.close();
      await bus.publisher.close();
      holdStore.close();
      redis.disconnect();
    },
  };
}
