import { Counter, type CounterConfiguration } from 'prom-client';

/** One counter with its labels. */
export type Tally = { add(more: number): void };

/**
 * A counter for busy places: it counts in plain numbers and adds them to the metric when that is collected, because a
 * metric looks up and checks its labels whenever it is counted. Its owner makes sure that its labels have few values.
 */
export function createTallies<Label extends string>(
  config: Omit<CounterConfiguration<Label>, 'collect'>,
): (labels: Record<Label, string>) => Tally {
  const counts: { readonly labels: Record<Label, string>; unreported: number }[] = [];
  new Counter({
    ...config,
    collect() {
      for (const count of counts) {
        if (count.unreported > 0) this.inc(count.labels, count.unreported);
        count.unreported = 0;
      }
    },
  });
  return (labels) => {
    const count = { labels, unreported: 0 };
    counts.push(count);
    return { add: (more) => void (count.unreported += more) };
  };
}
