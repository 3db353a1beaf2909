import type { FreeSlots, HoldStore } from '@weir/limits';
import {
  createAttemptMetrics,
  createGenAiMetrics,
  createGapCounter,
  createHarmCounter,
  registerJournalMetrics,
  type GenAiMetrics,
  type MetricsRegistry,
  type Tracing,
} from '@weir/telemetry';
import type { WatermarkStore } from '@weir/usage';
import { createFreeSlotKeeper } from './free-slot-keeper';
import { createRequestObserver, nameOperation, type ProviderTimeHeader, type RequestObserver } from './request-observer';
import { openAppendedMetering } from './open-appended-metering';
import { openMetering, type Metering, type MeteringOptions } from './open-metering';
import type { WorkerMetering } from './worker-metering';

/** As the environment names them. */
export type MeteringSettings = {
  readonly USAGE_DURABILITY: MeteringOptions['durability'];
  readonly JOURNAL_BYTES_MAX: number;
  readonly JOURNAL_SEGMENT_BYTES: number;
  readonly NEWER_DATA_ALLOWED: boolean;
  readonly JOURNAL_RESEND_AFTER_MS: number;
  readonly HOLD_TTL_MS: number;
  readonly TRACE_PROVIDERS: boolean;
};

type ObservedMeteringOptions = Pick<MeteringOptions, 'directory' | 'log' | 'onFailure' | 'failPoint'> & {
  readonly settings: MeteringSettings;
  /** Closed last of all, where it can be; as are the stores. Null where another process ships the journal. */
  readonly publisher: { readonly publish: MeteringOptions['publish']; close?(): Promise<void> } | null;
  readonly stores: {
    readonly watermarks: WatermarkStore;
    readonly holdStore: HoldStore;
    /** Where slots of free-model days are kept, used and given back. */
    readonly freeModelDays: FreeSlots;
    close?(): void;
  };
  readonly registry: MetricsRegistry;
  readonly tracing: Tracing | undefined;
  /** What traces call a provider. */
  readonly nameProvider: (providerId: string) => string;
  readonly providerTime: ProviderTimeHeader;
};

export type ObservedMetering = {
  readonly metering: Metering;
  readonly observer: RequestObserver;
  /** What the workers of this process are given. */
  readonly forWorkers: WorkerMetering;
  /** Waits a while until all is published, or known to be aggregated; what is left then is shipped by the next process. */
  close(until: 'published' | 'aggregated'): Promise<void>;
};

const SHIP_ON_STOP_MS = 10_000;

/** Where metrics go to a collector as well, attempts are among them under the names that collectors know. */
function describeConventional({ conventional }: MetricsRegistry, provider: (providerId: string) => string): GenAiMetrics | undefined {
  return conventional === undefined ? undefined : createGenAiMetrics(conventional, { operation: nameOperation, provider });
}

/** Opens the metering of a process that has workers in it, and shows metrics and traces what goes through it. */
export function openObservedMetering(options: ObservedMeteringOptions): ObservedMetering {
  const { settings, publisher, stores, registry, tracing, nameProvider, providerTime, ...parts } = options;
  const described = {
    ...parts,
    durability: settings.USAGE_DURABILITY,
    bytesMax: settings.JOURNAL_BYTES_MAX,
    segmentBytesMax: settings.JOURNAL_SEGMENT_BYTES,
    isNewerAllowed: settings.NEWER_DATA_ALLOWED,
    watermarks: stores.watermarks,
    holds: { store: stores.holdStore, ttlMs: settings.HOLD_TTL_MS },
    onLost: createGapCounter(registry),
    onHarm: createHarmCounter(registry),
  };
  const metering =
    publisher === null
      ? openAppendedMetering(described)
      : openMetering({
          ...described,
          resendAfterMs: settings.JOURNAL_RESEND_AFTER_MS,
          publish: (events) => publisher.publish(events),
        });
  registerJournalMetrics(registry, metering.read);
  const observer = createRequestObserver({
    metrics: createAttemptMetrics(registry, describeConventional(registry, nameProvider)),
    tracing,
    isTracingProviders: settings.TRACE_PROVIDERS,
    nameProvider,
    providerTime,
  });
  const slots = createFreeSlotKeeper({
    freeModelDays: stores.freeModelDays,
    now: Date.now,
    onLost: (error, { organizationId, requestId }, action) =>
      parts.log.warn({ error, organizationId, requestId, action }, 'free-tier slot not updated'),
  });
  return {
    metering,
    observer,
    forWorkers: {
      requests: { meter: metering.meter, holds: metering.holds, slots, observer },
      isMeteringReady: metering.isReady,
      whenDurable: metering.whenDurable,
    },
    close: async (until) => {
      await metering.drain(SHIP_ON_STOP_MS, until);
      await metering.close();
      await publisher?.close?.();
      stores.close?.();
    },
  };
}
