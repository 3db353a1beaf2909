import type { Histogram, HistogramConfiguration, Registry } from 'prom-client';

/** A histogram with its labels. */
export type Observations = { observe(value: number): void };

type Values = Awaited<ReturnType<Histogram['get']>>['values'];
type Labels = Readonly<Record<string, string>>;
type HistogramOptions<Label extends string> = Required<Pick<HistogramConfiguration<Label>, 'name' | 'help' | 'labelNames' | 'buckets'>> & {
  readonly registry: Registry;
};

/**
 * A histogram for busy places: observing counts in plain numbers, because a metric looks up and checks its labels, and
 * hashes them, whenever it is observed. On the page it is like any other. Its owner makes sure that its labels have few values.
 */
export function createHistogram<Label extends string>(
  options: HistogramOptions<Label>,
): (labels: Readonly<Record<Label, string>>) => Observations {
  const { name, help, labelNames, buckets, registry } = options;
  const series = new Map<string, Series>();
  /** In the order of their first observation. */
  const observed: Series[] = [];
  const get = (): object => ({ name, help, type: 'histogram', aggregator: 'sum', values: observed.flatMap((each) => each.read(name)) });
  // A registry asks its metrics for no more than this.
  registry.registerMetric({ name, help, type: 'histogram', get: () => Promise.resolve(get()) } as unknown as Histogram);
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
  private count = 0;
  private sum = 0;

  constructor(
    private readonly labels: Labels,
    private readonly buckets: readonly number[],
    private readonly observed: Series[],
  ) {
    this.counts = new Array<number>(buckets.length + 1).fill(0);
  }

  observe(value: number): void {
    if (this.count === 0) this.observed.push(this);
    const { buckets, counts } = this;
    let index = 0;
    while (index < buckets.length && value > (buckets[index] as number)) index += 1;
    counts[index] = (counts[index] as number) + 1;
    this.count += 1;
    this.sum += value;
  }

  read(name: string): Values {
    let total = 0;
    const values: Values = this.buckets.map((le, index) => {
      total += this.counts[index] as number;
      return { metricName: `${name}_bucket`, labels: { le, ...this.labels }, value: total };
    });
    values.push(
      { metricName: `${name}_bucket`, labels: { le: '+Inf', ...this.labels }, value: this.count },
      { metricName: `${name}_sum`, labels: this.labels, value: this.sum },
      { metricName: `${name}_count`, labels: this.labels, value: this.count },
    );
    return values;
  }
}
