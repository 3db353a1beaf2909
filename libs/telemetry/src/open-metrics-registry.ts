import { Registry } from 'prom-client';
import type { Logger } from './create-logger';
import { createMetricsRegistry, type MetricsRegistry } from './metrics';
import { describeTarget, type OtlpSettings } from './otlp/otlp-settings';
import { describeResource } from './otlp/resource';
import { createOtlpSender } from './otlp/send-otlp';
import { startMetricsExport } from './otlp/export-metrics';

/** See the settings of these names, which are those of OpenTelemetry. */
export type MetricsSettings = OtlpSettings & {
  readonly OTEL_METRICS_EXPORTER?: 'otlp' | 'prometheus' | 'none' | undefined;
  readonly OTEL_METRIC_EXPORT_INTERVAL: number;
  readonly OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'cumulative' | 'delta' | 'lowmemory';
};

/** Opens the metrics of a service. Where a collector is named they are sent to it as well, until the registry is closed. */
export function openMetricsRegistry(service: string, settings: MetricsSettings, log: Logger): MetricsRegistry {
  const registry = createMetricsRegistry();
  if (!isExported(settings)) return registry;
  const conventional = new Registry();
  const { close } = startMetricsExport({
    ...{ resource: describeResource(service, settings.OTEL_RESOURCE_ATTRIBUTES), registries: [registry, conventional], log, now: Date.now },
    send: createOtlpSender(describeTarget('metrics', settings)),
    // What only grows has no memory to save either way: the sums of both kinds are kept.
    temporality: settings.OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE === 'cumulative' ? 'cumulative' : 'delta',
    everyMs: settings.OTEL_METRIC_EXPORT_INTERVAL,
  });
  return Object.assign(registry, { conventional, close });
}

/** `prometheus` and `none`: nothing is sent; `/metrics` is there in any case. */
function isExported({ OTEL_METRICS_EXPORTER: exporter, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: MetricsSettings): boolean {
  return exporter === undefined ? endpoint !== undefined : exporter === 'otlp';
}
