import { ASSUMED, MEASURED, type Figures } from './figures';
import { listCosts, listWalls, planScale, type ScalePlan } from './plan-scale';

export const RATES = [1_000, 10_000, 100_000] as const;

/** Nodes of a cluster agree by majority. */
const CLUSTER_LEAST = 3;

type Row = readonly string[];

/** The tables of `docs/scale.md`, as Markdown. */
export type ScaleTables = Readonly<Record<'needs' | 'costs' | 'walls' | 'measured' | 'assumed', string>>;

export function writeTables(figures: Figures, rates: readonly number[] = RATES): ScaleTables {
  return {
    needs: writeNeeds(figures, rates),
    costs: writeTable(
      ['A request costs', 'CPU', 'is kept', 'a million, USD'],
      listCosts(figures).map((each) => [
        each.part,
        `${round(each.microseconds)} µs`,
        `${round(each.bytesKept)} bytes`,
        each.usdPerMillion.toFixed(3),
      ]),
    ),
    walls: writeTable(
      ['Full at', 'requests a second', 'planned with'],
      listWalls(figures).map((each) => [each.part, group(each.most), group(each.planned)]),
    ),
    measured: writeFigures(MEASURED, figures),
    assumed: writeFigures(ASSUMED, figures),
  };
}

const NEEDS: readonly (readonly [title: string, show: (plan: ScalePlan) => string])[] = [
  ['cores of edges', (plan) => group(plan.edgeCores)],
  ['cores of workers', (plan) => group(plan.workerCores)],
  ['nodes of Redis', (plan) => (plan.redisNodes === 1 ? '1' : `${group(Math.max(plan.redisNodes, CLUSTER_LEAST))}, a cluster`)],
  ['into Kafka', (plan) => `${round(plan.kafkaBytesPerSecond / 1e6)} MB/s`],
  ['partitions', (plan) => group(plan.partitions)],
  ['aggregators', (plan) => group(plan.aggregators)],
  ['cores of aggregators and Postgres, for counting', (plan) => group(plan.countingCores)],
  ['Postgres', (plan) => (plan.postgresPrimaries === 1 ? '1' : `${plan.postgresPrimaries} shards`)],
  ['events a month', (plan) => `${group(plan.eventsPerMonth / 1e6)} million`],
  ['events in Postgres', (plan) => bytes(plan.postgresBytes)],
  ['events in Kafka, all copies', (plan) => bytes(plan.kafkaBytes)],
  ['journals, all workers', (plan) => bytes(plan.journalBytes)],
  ['cores and storage, USD a month', (plan) => group(plan.monthUsd)],
];

function writeNeeds(figures: Figures, rates: readonly number[]): string {
  const plans = rates.map((rate) => planScale(rate, figures));
  return writeTable(
    ['Requests a second at the peak', ...rates.map(group)],
    NEEDS.map(([title, show]) => [title, ...plans.map(show)]),
  );
}

function writeFigures(described: typeof MEASURED | typeof ASSUMED, figures: Figures): string {
  return writeTable(
    ['Figure', 'is', 'of', 'from'],
    Object.entries(described).map(([name, { unit, about, from }]) => [
      `\`${name}\``,
      `${group(figures[name as keyof Figures])} ${unit}`.trim(),
      about,
      from,
    ]),
  );
}

function writeTable(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
}

/** Whole numbers in groups of three; what is below ten as it is. */
function group(value: number): string {
  return value < 10 ? String(Number(value.toFixed(2))) : Math.round(value).toLocaleString('en-US');
}

function round(value: number): string {
  return group(Math.ceil(value * 10) / 10);
}

function bytes(value: number): string {
  const gib = value / 2 ** 30;
  return gib < 1024 ? `${group(Math.ceil(gib))} GiB` : `${group(Math.ceil(gib / 1024))} TiB`;
}
