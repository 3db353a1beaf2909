import type { Registry } from 'prom-client';

/** One observation behind a bucket of a histogram, and where it was made. */
export type Exemplar = { readonly labels: Readonly<Record<string, string>>; readonly value: number; readonly atMs: number };

export type Sample = {
  /** Absent: that of its family. */
  readonly metricName?: string | undefined;
  readonly labels: Readonly<Record<string, string | number | undefined>>;
  readonly value: number;
  /** Null in histograms of others, which have none. */
  readonly exemplar?: Exemplar | null;
};

/** All samples of one metric, as they are at a moment. */
export type MetricFamily = {
  readonly name: string;
  readonly help: string;
  readonly kind: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly samples: readonly Sample[];
  /** Where its name does not end with it. */
  readonly unit?: string | undefined;
};

export async function readFamilies(registry: Registry): Promise<MetricFamily[]> {
  const metrics = (await registry.getMetricsAsJSON()) as unknown as readonly CollectedMetric[];
  return metrics.map(({ name, help, type, unit, values = [] }) => ({ name, help, kind: type, unit, samples: values }));
}

/** What a registry really returns, which its types say only in part. */
type CollectedMetric = {
  readonly name: string;
  readonly help: string;
  readonly type: MetricFamily['kind'];
  readonly unit?: string;
  readonly values?: readonly Sample[];
};

const UNITS = ['seconds', 'bytes', 'usd'] as const;
type Unit = (typeof UNITS)[number];

/** What a metric is measured in, by the end of its name; undefined for numbers of things. */
export function findUnit(name: string): Unit | undefined {
  return UNITS.find((unit) => name.endsWith(`_${unit}`));
}

const TOTAL = '_total';

/** The name without the end that marks a counter. */
export function nameFamily({ name, kind }: Pick<MetricFamily, 'name' | 'kind'>): string {
  return kind === 'counter' && name.endsWith(TOTAL) ? name.slice(0, -TOTAL.length) : name;
}
