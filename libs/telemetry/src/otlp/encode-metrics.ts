import { findUnit, nameFamily, type Exemplar, type MetricFamily, type Sample } from '../exposition/metric-family';
import type { Temporality, Totals } from './totals';
import { encodeAttributes, toNanoseconds, type OtlpAttribute } from './otlp-values';
import type { Resource } from './resource';

type Moment = { readonly nowMs: number; readonly totals: Totals };

/** As OTLP numbers them. */
const TEMPORALITIES: Readonly<Record<Temporality, number>> = { delta: 1, cumulative: 2 };
const UNITS = { seconds: 's', bytes: 'By', usd: '{USD}' } as const;

type Point = { readonly attributes: OtlpAttribute[]; readonly startTimeUnixNano: string; readonly timeUnixNano: string };

/** One message of OTLP with all metrics as they are at a moment. Names are those that Prometheus knows, without its ends for counters. */
export function encodeMetrics(resource: Resource, families: readonly MetricFamily[], moment: Moment): object {
  const metrics = families.map((family) => encodeFamily(family, moment)).filter((metric) => metric !== undefined);
  return {
    resourceMetrics: [{ resource: { attributes: encodeAttributes(resource) }, scopeMetrics: [{ scope: { name: 'weir' }, metrics }] }],
  };
}

function encodeFamily(family: MetricFamily, moment: Moment): object | undefined {
  if (family.samples.length === 0) return undefined;
  const name = nameFamily(family);
  const described = { name, description: family.help, unit: findOtlpUnit(family, name) };
  const aggregationTemporality = TEMPORALITIES[moment.totals.temporality];
  if (family.kind === 'histogram') {
    return { ...described, histogram: { aggregationTemporality, dataPoints: encodeHistogram(family, moment) } };
  }
  const dataPoints = encodeNumbers(family, moment);
  if (dataPoints.length === 0) return undefined;
  if (family.kind === 'counter') return { ...described, sum: { aggregationTemporality, isMonotonic: true, dataPoints } };
  return { ...described, gauge: { dataPoints } };
}

function findOtlpUnit(family: MetricFamily, name: string): string {
  if (family.unit !== undefined) return family.unit;
  const unit = findUnit(name);
  return unit === undefined ? '1' : UNITS[unit];
}

function encodeNumbers(family: MetricFamily, { nowMs, totals }: Moment): object[] {
  const isCounter = family.kind === 'counter';
  return family.samples
    .filter(({ value }) => Number.isFinite(value))
    .map(({ labels, value }) => {
      const shown = isCounter ? totals.take(`${family.name} ${keyOf(labels)}`, [value]) : { values: [value], startMs: totals.startedMs };
      return { ...describePoint(labels, shown.startMs, nowMs), asDouble: shown.values[0] };
    });
}

type Labels = Sample['labels'];
type Series = { readonly labels: Labels; readonly buckets: Sample[]; sum: number; count: number };

function encodeHistogram(family: MetricFamily, { nowMs, totals }: Moment): object[] {
  return gatherSeries(family).map(({ labels, buckets, sum, count }) => {
    const bounds = buckets.map((sample) => Number(sample.labels['le'])).filter(Number.isFinite);
    const cumulative = buckets.filter((sample) => Number.isFinite(Number(sample.labels['le']))).map(({ value }) => value);
    const counts = [...cumulative, count].map((total, index) => total - (index === 0 ? 0 : (cumulative[index - 1] ?? 0)));
    const taken = totals.take(`${family.name} ${keyOf(labels)}`, [...counts, sum]);
    const shown = taken.values.slice(0, -1);
    const exemplars = buckets.flatMap(({ exemplar }) => (exemplar === undefined || exemplar === null ? [] : [encodeExemplar(exemplar)]));
    return {
      ...describePoint(labels, taken.startMs, nowMs),
      count: String(shown.reduce((all, each) => all + each, 0)),
      sum: taken.values.at(-1),
      bucketCounts: shown.map(String),
      explicitBounds: bounds,
      ...(exemplars.length === 0 ? {} : { exemplars }),
    };
  });
}

/** Samples of a histogram by what they are of; each has its buckets, a sum and a count. */
function gatherSeries({ name, samples }: MetricFamily): Series[] {
  const series = new Map<string, Series>();
  for (const sample of samples) {
    const { le: _bound, ...labels } = sample.labels;
    const key = keyOf(labels);
    let found = series.get(key);
    if (found === undefined) series.set(key, (found = { labels, buckets: [], sum: 0, count: 0 }));
    if (sample.metricName === `${name}_sum`) found.sum = sample.value;
    else if (sample.metricName === `${name}_count`) found.count = sample.value;
    else found.buckets.push(sample);
  }
  return [...series.values()];
}

function encodeExemplar({ labels, value, atMs }: Exemplar): object {
  const { trace_id: traceId, span_id: spanId, ...rest } = labels;
  return { timeUnixNano: toNanoseconds(atMs), asDouble: value, traceId, spanId, filteredAttributes: encodeAttributes(rest) };
}

function describePoint(labels: Labels, startMs: number, nowMs: number): Point {
  const texts = Object.entries(labels).map(([name, value]) => [name, String(value)]);
  return {
    attributes: encodeAttributes(Object.fromEntries(texts) as Record<string, string>),
    startTimeUnixNano: toNanoseconds(startMs),
    timeUnixNano: toNanoseconds(nowMs),
  };
}

function keyOf(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${String(value)}`)
    .sort()
    .join('\n');
}
