import type { OtlpTarget } from './send-otlp';

/** See the settings of these names, which are those of OpenTelemetry. */
export type OtlpSettings = {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_HEADERS?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_TIMEOUT: number;
};

/** Where collectors listen by convention. */
const DEFAULT_ENDPOINT = 'http://localhost:4318';

export function describeTarget(
  signal: 'metrics' | 'logs',
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers, OTEL_EXPORTER_OTLP_TIMEOUT: timeoutMs }: OtlpSettings,
): OtlpTarget {
  return { url: `${(endpoint ?? DEFAULT_ENDPOINT).replace(/\/$/, '')}/v1/${signal}`, headers: parseHeaders(headers ?? ''), timeoutMs };
}

/** `name=value,name=value`, values percent-encoded, as W3C baggage has it. */
function parseHeaders(text: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const pair of text.split(',')) {
    const [name = '', ...rest] = pair.split('=');
    if (name.trim() !== '' && rest.length > 0) headers[name.trim()] = decode(rest.join('=').trim());
  }
  return headers;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not encoded: as it is
  }
}
