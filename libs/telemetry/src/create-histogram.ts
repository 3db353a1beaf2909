import type { Histogram, HistogramConfiguration, Registry } from 'prom-client';
import type { Exemplar } from './exposition/metric-family';
import type { SeenIn } from './seen-in';
import { parseTraceParent } from './tracing/trace-parent';

/** A histogram with its labels. */
export type Observations = {
  /** `seen` is shown beside the bucket that the value is in, as its exemplar, until the next one takes its place. */
  observe(value: number, seen?: SeenIn): void;
};

type Values = (Awaited<ReturnType<Histogram['get']>>['values'][number] & { readonly exemplar?: Exemplar })[];
type Sighting = { readonly value: number; readonly atMs: number; readonly seen: SeenIn };
type Labels = Readonly<Record<string, string>>;
type HistogramOptions<Label extends string> = Required<Pick<HistogramConfiguration<Label>, 'name' | 'help' | 'labelNames' | 'buckets'>> & {
  readonly registry: Registry;
  /** Where its name does not end with it. */
  readonly unit?: string;
};

/**
 * A histogram for busy places: observing counts in plain numbers, because a metric looks up and checks its labels, and
 * hashes them, whenever it is observed. On the page it is like any other. Its owner makes sure that its labels have few values.
 */
export function createHistogram<Label extends string>(
  options: HistogramOptions<Label>,
): (labels: Readonly<Record<Label, string>>) => Observations {
  const { name, help, labelNames, buckets, registry, unit } = options;
  const series = new Map<string, Series>();
  /** In the order of their first observation. */
  const observed: Series[] = [];
  const described = { name, help, type: 'histogram', ...(unit === undefined ? {} : { unit }) };
  const get = (): object => ({ ...described, aggregator: 'sum', values: observed.flatMap((each) => each.read(name)) });
  // A registry asks its metrics for no more than this.
  registry.registerMetric({ ...described, labelNames, get: () => Promise.resolve(get()) } as unknown as Histogram);
  return (labels) => {
    const key = labelNames.map((label) => labels[label]).join('\n');
    let found = series.get(key);
    if (found === undefined) series.set(key, (found = new Series(labels, buckets, observed)));
    return found;
  };
}

class Series implements Observations {
  /** Observations by the first bucket that they fit in; the last are those that fit in none. */
  private readonly counts: number[];
  /** By bucket as well; none where nothing is traced. */
  private sightings: (Sighting | undefined)[] | undefined;
  private count = 0;
  private sum = 0;

  constructor(
    private readonly labels: Labels,
    private readonly buckets: readonly number[],
    private readonly observed: Series[],
  ) {
    this.counts = new Array<number>(buckets.length + 1).fill(0);
  }

  observe(value: number, seen?: SeenIn): void {
    if (this.count === 0) this.observed.push(this);
    const { buckets, counts } = this;
    let index = 0;
    while (index < buckets.length && value > (buckets[index] as number)) index += 1;
    counts[index] = (counts[index] as number) + 1;
    this.count += 1;
    this.sum += value;
    if (seen !== undefined) (this.sightings ??= [])[index] = { value, atMs: Date.now(), seen };
  }

  read(name: string): Values {
    let total = 0;
    const values: Values = this.buckets.map((le, index) => {
      total += this.counts[index] as number;
      return { metricName: `${name}_bucket`, labels: { le, ...this.labels }, value: total, ...describe(this.sightings?.[index]) };
    });
    const beyond = describe(this.sightings?.[this.buckets.length]);
    values.push(
      { metricName: `${name}_bucket`, labels: { le: '+Inf', ...this.labels }, value: this.count, ...beyond },
      { metricName: `${name}_sum`, labels: this.labels, value: this.sum },
      { metricName: `${name}_count`, labels: this.labels, value: this.count },
    );
    return values;
  }
}

/** Read only when metrics are: a trace is known by its text until then. */
function describe(sighting: Sighting | undefined): { exemplar?: Exemplar } {
  const trace = parseTraceParent(sighting?.seen.traceparent);
  if (sighting === undefined || trace === undefined) return {};
  const labels = { trace_id: trace.traceId, span_id: trace.spanId, request_id: sighting.seen.requestId };
  return { exemplar: { labels, value: sighting.value, atMs: sighting.atMs } };
}
