import { z } from 'zod';
import { flag, httpUrl } from '../values';

export const telemetryEnv = z.object({
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** `auto`: lines for people on a terminal, JSON elsewhere. */
  LOG_FORMAT: z.enum(['auto', 'json', 'text']).default('auto'),
  /** Base URL of an OTLP/HTTP collector. Without it nothing is traced, and tracing costs nothing. */
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  /** Which share of traces is kept, 0 to 1; those that callers began follow the callers' own mark. */
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0|1|0?\.\d+|1\.0+)$/, 'must be a number from 0 to 1')
    .transform(Number)
    .default(1),
  /** Whether calls to providers carry the trace as well, in a `traceparent` header. */
  TRACE_PROVIDERS: flag.default(false),
});
