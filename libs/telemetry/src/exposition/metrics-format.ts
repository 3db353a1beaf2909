import type { Registry } from 'prom-client';
import { readFamilies } from './metric-family';
import { writeOpenMetrics } from './write-open-metrics';

/** How metrics are written: as Prometheus always read them, or in OpenMetrics, which has exemplars. */
export type MetricsFormat = 'text' | 'openmetrics';

export const METRICS_CONTENT_TYPES: Readonly<Record<MetricsFormat, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

const OPEN_METRICS = 'application/openmetrics-text';

/** What a collector asks for by `Accept`: OpenMetrics where it names it and likes no plain text better. */
export function chooseMetricsFormat(accept: string | undefined): MetricsFormat {
  const liked = new Map<string, number>();
  for (const range of (accept ?? '').split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    liked.set(type, Math.max(liked.get(type) ?? 0, readQuality(parameters)));
  }
  const open = liked.get(OPEN_METRICS) ?? 0;
  return open > 0 && open >= (liked.get('text/plain') ?? 0) ? 'openmetrics' : 'text';
}

function readQuality(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = given === undefined ? 1 : Number(given.slice(2));
  return Number.isFinite(quality) ? quality : 0;
}

export async function writeMetrics(registry: Registry, format: MetricsFormat): Promise<string> {
  return format === 'text' ? registry.metrics() : writeOpenMetrics(await readFamilies(registry));
}
