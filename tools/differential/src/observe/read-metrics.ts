import type { Sight } from '../compare/place';

export type Metrics = { readonly values: ReadonlyMap<string, number>; readonly types: ReadonlyMap<string, string> };

/** A metrics page: samples by name and labels, and the type of each metric. */
export function parseMetrics(page: string): Metrics {
  const values = new Map<string, number>();
  const types = new Map<string, string>();
  for (const line of page.split('\n')) {
    const [, name, type] = /^# TYPE (\S+) (\S+)/.exec(line) ?? [];
    if (name !== undefined && type !== undefined) types.set(name, type);
    const space = line.lastIndexOf(' ');
    if (!line.startsWith('#') && space > 0) values.set(line.slice(0, space), Number(line.slice(space + 1)));
  }
  return { values, types };
}

export async function fetchMetrics(address: string): Promise<Metrics> {
  return parseMetrics(await (await fetch(`${address}/metrics`)).text());
}

/** What the run added to each counter, and how many values each histogram has got; of all else that it is there. */
export function renderMetrics(start: Metrics, end: Metrics): Sight[] {
  const lines = [...end.values].map(([sample, value]) => {
    const name = sample.replace(/\{.*/s, '');
    return isCounted(name, end.types) ? `${sample} ${round(value - (start.values.get(sample) ?? 0))}` : sample;
  });
  return [{ subject: 'the metrics page', place: 'metric', text: lines.sort().join('\n') }];
}

function isCounted(name: string, types: Metrics['types']): boolean {
  return types.get(name) === 'counter' || (name.endsWith('_count') && types.get(name.slice(0, -'_count'.length)) === 'histogram');
}

/** Sums of fractions depend on their order in the last digits. */
function round(value: number): number {
  return Number(value.toPrecision(9));
}
