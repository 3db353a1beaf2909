import {
  createAccountMetrics,
  createAttemptMetrics,
  createCatalogMetrics,
  createConfigurationCounter,
  createContentMetrics,
  createCounterStoreMetrics,
  createExportMetrics,
  createGapCounter,
  createHarmCounter,
  createHoldMetrics,
  createLimitPressureMetrics,
  createMeteringMetrics,
  createMetricsRegistry,
  createPassportMetrics,
  createProviderQueueMetrics,
  createRateMetrics,
  createReplayMetrics,
  createRequestMetrics,
  createRoutingMetrics,
  createRowSecurityMetric,
  createSecretAlertCounter,
  createServerMetrics,
  createUpstreamMetrics,
  createUsageFeedMetrics,
  createUsageReadCounter,
  createUsageFileMetrics,
  registerJournalMetrics,
  type JournalReading,
  type MetricsRegistry,
} from '@weir/telemetry';
import type { MadeMetric } from '../promql/made-metric';

const NOTHING: JournalReading = {
  ...{ bytes: 0, bytesMax: 1, openAttempts: 0, unwritten: 0, oldestSegmentMs: 0, lastSyncMs: 0, unpublished: 0, unaggregated: 0 },
  ...{ watermarkLagMs: 0, orphans: 0 },
};

/** Every metric that some process of ours serves, by name, as the code makes it. */
export function listMadeMetrics(): ReadonlyMap<string, MadeMetric> {
  const registry = createMetricsRegistry();
  makeAll(registry);
  // What a registry keeps has its labels, which its types leave out.
  const made = registry.getMetricsAsArray() as unknown as readonly { name: string; type?: string; labelNames?: readonly string[] }[];
  return new Map(made.map((metric) => [metric.name, { kind: kindOf(metric), labels: metric.labelNames ?? [] }]));
}

function makeAll(registry: MetricsRegistry): void {
  createRequestMetrics(registry);
  createMeteringMetrics(registry);
  createHoldMetrics(registry);
  createPassportMetrics(registry, { warn: () => undefined });
  createContentMetrics(registry);
  createReplayMetrics(registry);
  createRateMetrics(registry);
  createAccountMetrics(registry);
  createAttemptMetrics(registry);
  registerJournalMetrics(registry, () => NOTHING);
  createGapCounter(registry);
  createHarmCounter(registry);
  createProviderQueueMetrics(registry, () => new Map());
  createRowSecurityMetric(registry, { isInForce: true });
  createSecretAlertCounter(registry);
  createServerMetrics(registry).streams(() => 0);
  createConfigurationCounter(registry);
  createUpstreamMetrics(registry, () => []);
  createRoutingMetrics(registry, { ejected: () => [], allowances: () => [] });
  createCounterStoreMetrics(registry);
  createExportMetrics(registry, Date.now);
  createCatalogMetrics(registry);
  createLimitPressureMetrics(registry);
  createUsageFeedMetrics(registry, Date.now);
  createUsageReadCounter(registry);
  createUsageFileMetrics(registry);
}

function kindOf(metric: { readonly type?: string }): string {
  return metric.type ?? metric.constructor.name.toLowerCase();
}
