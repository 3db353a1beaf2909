import { describeResource } from '../otlp/resource';
import { startOtlpTracing } from './start-otlp-tracing';
import type { Tracing } from './tracing';

/** See the settings of these names. */
type TracingSettings = {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_TRACES_SAMPLER_ARG: number;
  readonly OTEL_RESOURCE_ATTRIBUTES?: string | undefined;
};

/** Begins to send a service's traces to a collector; undefined when none is set. Nothing of OpenTelemetry is loaded until then. */
export async function openTracing(service: string, settings: TracingSettings): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: sampleRatio } = settings;
  if (endpoint === undefined) return undefined;
  return startOtlpTracing({ resource: describeResource(service, settings.OTEL_RESOURCE_ATTRIBUTES), endpoint, sampleRatio });
}
