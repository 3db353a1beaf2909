import { z } from 'zod';
import { flag, httpUrl, integer } from '../values';

export const telemetryEnv = z.object({
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** `auto`: lines for people on a terminal, JSON elsewhere. */
  LOG_FORMAT: z.enum(['auto', 'json', 'text']).default('auto'),
  /** Base URL of an OTLP/HTTP collector of traces and metrics. Without it nothing is traced, and tracing costs nothing. */
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  /** Which share of traces is kept, 0 to 1; those that callers began follow the callers' own mark. */
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0|1|0?\.\d+|1\.0+)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .default(1),
  /** `name=value,…` for the collector, values percent-encoded. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  /** How long a collector may take for one message. */
  OTEL_EXPORTER_OTLP_TIMEOUT: integer(100, 300_000).default(10_000),
  /** `prometheus` and `none`: metrics are served, and sent nowhere. Absent: sent where a collector is named. */
  OTEL_METRICS_EXPORTER: z.enum(['otlp', 'prometheus', 'none']).optional(),
  /** How often metrics are sent. */
  OTEL_METRIC_EXPORT_INTERVAL: integer(100, 3_600_000).default(60_000),
  /** Whether what only grows is sent as what there was since the start, or since the message before. */
  OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: z
    .string()
    .transform((text) => text.toLowerCase())
    .pipe(z.enum(['cumulative', 'delta', 'lowmemory']))
    .default('cumulative'),
  /** `name=value,…`, values percent-encoded: what signals say of where they come from, beside service, version and process. */
  OTEL_RESOURCE_ATTRIBUTES: z.string().optional(),
  /** Whether calls to providers carry the trace as well, in a `traceparent` header. */
  TRACE_PROVIDERS: flag.default(false),
});
