import type { Figures } from './figures';

/** What one rate of requests at the peak needs. Cores and bytes are rounded up where they are shown. */
export type ScalePlan = {
  readonly requestsPerSecond: number;
  readonly eventsPerSecond: number;
  readonly edgeCores: number;
  readonly workerCores: number;
  readonly redisNodes: number;
  readonly kafkaBytesPerSecond: number;
  readonly partitions: number;
  readonly aggregators: number;
  readonly postgresPrimaries: number;
  /** Of aggregators and Postgres together, for counting alone. */
  readonly countingCores: number;
  readonly eventsPerMonth: number;
  readonly postgresBytes: number;
  readonly kafkaBytes: number;
  readonly journalBytes: number;
  readonly monthUsd: number;
};

export type CostPart = { readonly part: string; readonly microseconds: number; readonly bytesKept: number; readonly usdPerMillion: number };

const MICROSECONDS = 1e6;
const DAY_SECONDS = 86_400;
const MONTH_DAYS = 30;
const GIB = 2 ** 30;

export function planScale(requestsPerSecond: number, figures: Figures): ScalePlan {
  const events = requestsPerSecond / figures.requestsPerEvent;
  const perDay = events * DAY_SECONDS * figures.meanOfPeak;
  const coresFor = (microseconds: number, rate: number): number => Math.ceil((rate * microseconds) / MICROSECONDS / figures.load);
  const aggregators = Math.ceil(events / (figures.foldPerSecond * figures.load));
  const edgeCores = coresFor(figures.edgeUs + figures.limitsEdgeUs, requestsPerSecond);
  const workerCores = coresFor(figures.workerUs, requestsPerSecond);
  const redisNodes = coresFor(figures.admitRedisUs + figures.settleRedisUs, requestsPerSecond);
  const countingCores = coresFor(figures.aggregatorUs + figures.postgresUs, events);
  const postgresBytes = perDay * figures.eventDays * figures.eventRowBytes;
  const kafkaBytesPerSecond = events * figures.eventBytes;
  const kafkaBytes = perDay * figures.kafkaDays * figures.eventBytes * figures.kafkaPacked * figures.kafkaCopies;
  const journalBytes = events * figures.journalBytes * figures.outageHours * 3_600;
  const stored = (postgresBytes + kafkaBytes + journalBytes) / GIB;
  return {
    ...{ requestsPerSecond, eventsPerSecond: events, edgeCores, workerCores, redisNodes, kafkaBytesPerSecond, aggregators, countingCores },
    partitions: Math.max(figures.partitionsLeast, nextPowerOfTwo(2 * aggregators)),
    postgresPrimaries: Math.ceil(events / (figures.postgresEventsMax * figures.load)),
    ...{ eventsPerMonth: perDay * MONTH_DAYS, postgresBytes, kafkaBytes, journalBytes },
    monthUsd: (edgeCores + workerCores + redisNodes + countingCores) * figures.coreMonthUsd + stored * figures.gibMonthUsd,
  };
}

/** What one more request costs in each part: CPU, what is kept of it, and a million of them in USD at the load that is planned with. */
export function listCosts(figures: Figures): readonly CostPart[] {
  const coreSecondUsd = figures.coreMonthUsd / (MONTH_DAYS * DAY_SECONDS) / figures.load / figures.meanOfPeak;
  const cost = (part: string, microseconds: number, bytesKept: number, keptDays: number): CostPart => ({
    ...{ part, microseconds, bytesKept },
    usdPerMillion: microseconds * coreSecondUsd + ((bytesKept * 1e6) / GIB) * figures.gibMonthUsd * (keptDays / MONTH_DAYS),
  });
  const each = 1 / figures.requestsPerEvent;
  return [
    cost('edge, with six limits', figures.edgeUs + figures.limitsEdgeUs, 0, 0),
    cost('worker', figures.workerUs, 0, 0),
    cost('Redis, with six limits', figures.admitRedisUs + figures.settleRedisUs, 0, 0),
    cost('Kafka', 0, figures.eventBytes * figures.kafkaPacked * figures.kafkaCopies * each, figures.kafkaDays),
    cost('aggregator', figures.aggregatorUs * each, 0, 0),
    cost('Postgres', figures.postgresUs * each, figures.eventRowBytes * each, figures.eventDays),
  ];
}

/** Where one of each part is full, in requests a second, at the load that is planned with and at most. */
export type Wall = { readonly part: string; readonly planned: number; readonly most: number };

export function listWalls(figures: Figures): readonly Wall[] {
  const wall = (part: string, most: number): Wall => ({ part, most, planned: most * figures.load });
  const perCore = (microseconds: number): number => MICROSECONDS / microseconds;
  return [
    wall('a core of an edge', perCore(figures.edgeUs + figures.limitsEdgeUs)),
    wall('a core of a worker', perCore(figures.workerUs)),
    wall('one node of Redis', perCore(figures.admitRedisUs + figures.settleRedisUs)),
    wall('one aggregator', figures.foldPerSecond * figures.requestsPerEvent),
    wall('one Postgres', figures.postgresEventsMax * figures.requestsPerEvent),
  ];
}

function nextPowerOfTwo(least: number): number {
  return 2 ** Math.ceil(Math.log2(least));
}
