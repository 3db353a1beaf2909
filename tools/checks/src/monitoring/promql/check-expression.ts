import type { MadeMetric } from './made-metric';
import { readExpression, type AskedMetric } from './read-expression';

/** Labels that Prometheus gives to what it scrapes, and that a gateway of several processes gives to each of them. */
const OUTER_LABELS = ['service', 'instance', 'process'];
/** What Prometheus says of the scrape itself. */
const UP = 'up';

/** What is wrong with an expression, by the grammar and by the metrics that there are. */
export function checkExpression(expression: string, made: ReadonlyMap<string, MadeMetric>): string[] {
  const { faults, asked } = readExpression(expression);
  return [...faults.map((near) => `makes no sense near: ${near}`), ...asked.flatMap((metric) => checkMetric(metric, made))];
}

function checkMetric(asked: AskedMetric, made: ReadonlyMap<string, MadeMetric>): string[] {
  const { name } = asked;
  if (name === UP) return checkLabels(asked, []);
  const found = findMetric(name, made);
  if (found === undefined) return [`asks for ${name}, which no process serves`];
  const isCounted = found.kind === 'counter' || found.kind === 'part';
  const misuse =
    asked.isRated === isCounted ? [] : [asked.isRated ? `takes the rate of ${name}, a gauge` : `shows ${name}, which only grows`];
  return [...checkLabels(asked, found.labels), ...misuse.filter(() => !isComparedWithItself(asked))];
}

/** A counter as it is, beside what it was: for those that may appear with their first event. */
function isComparedWithItself({ isRated, name }: AskedMetric): boolean {
  return !isRated && name.endsWith('_total');
}

function checkLabels({ name, matched, kept }: AskedMetric, labels: readonly string[]): string[] {
  const known = new Set([...labels, ...OUTER_LABELS]);
  return [...matched, ...kept].filter((label) => !known.has(label)).map((label) => `${name} has no label ${label}`);
}

function findMetric(name: string, made: ReadonlyMap<string, MadeMetric>): MadeMetric | undefined {
  const plain = made.get(name);
  if (plain !== undefined) return plain.kind === 'histogram' ? undefined : plain;
  const [, family = '', part = ''] = /^(.*)_(bucket|sum|count)$/.exec(name) ?? [];
  const histogram = made.get(family);
  if (histogram?.kind !== 'histogram') return undefined;
  return { kind: 'part', labels: part === 'bucket' ? [...histogram.labels, 'le'] : histogram.labels };
}
