import type { OtlpTarget } from './send-otlp';

/** See the settings of these names, which are those of OpenTelemetry. */
export type OtlpSettings = {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_HEADERS?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_TIMEOUT: number;
  readonly OTEL_RESOURCE_ATTRIBUTES?: string | undefined;
};

/** Where collectors listen by convention. */
const DEFAULT_ENDPOINT = 'http://localhost:4318';

export function describeTarget(
  signal: 'metrics' | 'logs',
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers, OTEL_EXPORTER_OTLP_TIMEOUT: timeoutMs }: OtlpSettings,
): OtlpTarget {
  return { url: `${(endpoint ?? DEFAULT_ENDPOINT).replace(/\/$/, '')}/v1/${signal}`, headers: parsePairs(headers ?? ''), timeoutMs };
}

/** `name=value,name=value`, values percent-encoded, as W3C baggage has it. */
export function parsePairs(text: string): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const pair of text.split(',')) {
    const [name = '', ...rest] = pair.split('=');
    if (name.trim() !== '' && rest.length > 0) pairs[name.trim()] = decode(rest.join('=').trim());
  }
  return pairs;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not encoded: as it is
  }
}
