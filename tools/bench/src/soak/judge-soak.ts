import { addUsd } from '@weir/gateway-e2e';
import { findTrend } from './find-trend';
import type { SoakResult } from './run-soak';
import type { Sample } from './take-sample';

type Judgement = {
  readonly lines: readonly string[];
  /** Empty when all is well. */
  readonly faults: readonly string[];
};

type Measure = keyof Sample;

const TRENDS: readonly (readonly [name: Measure, unit: string])[] = [
  ['rssMb', 'MB'],
  ['heapMb', 'MB'],
  ['externalMb', 'MB'],
  ['descriptors', ''],
  ['sockets', ''],
];

/** Before this share of the run, caches fill and code is compiled. */
const WARM_UP_SHARE = 1 / 4;
/** Shorter than this, memory has not been collected often enough to compare one half with the other. */
const SECONDS_MIN = 900;
const FLOOR_GROWTH_MAX = 0.2;
/** Connections to the database and to providers are kept for a while. */
const DESCRIPTORS_KEPT_MAX = 30;
const SHED_SHARE_MAX = 0.01;

export function judgeSoak(result: SoakResult): Judgement {
  const { samples, atStart, atRest, tally, spend } = result;
  const last = samples.at(-1)?.seconds ?? 0;
  const warm = samples.filter(({ seconds }) => seconds > last * WARM_UP_SHARE);
  const floors = findFloors(warm);
  const seen = addUsd([tally.seen.plain, tally.seen.guarded]);
  const counted = addUsd([spend.ofKey.plain, spend.ofKey.guarded]);
  const kinds = [...tally.byKind].map(([name, count]) => `${name} ${count}`).join(', ');
  return {
    lines: [
      `requests: ${tally.requests}, unexpected: ${tally.unexpected}, refused for load: ${tally.shed}, not sent: ${tally.skipped}`,
      `  ${kinds}`,
      ...tally.examples.map((example) => `  ! ${example}`),
      `after warm-up (${warm.length} samples from ${Math.round(warm[0]?.seconds ?? 0)} s on):`,
      ...TRENDS.map(([name, unit]) => `  ${describeTrend(warm, name, unit)}`),
      `  heap after collection: ${floors.map((floor) => floor.toFixed(0)).join(' MB in the first half, ')} MB in the second`,
      `at rest: ${describeState(atRest)}; before the first request: ${describeState(atStart)}`,
      `replies said $${seen} in all, usage says $${counted}; of those who left usage says $${spend.ofKey.leaving}`,
      `events, rollups, spend and ledger differ by $${spend.unexplainedUsd}`,
    ],
    faults: [
      ...(tally.unexpected > 0 ? [`${tally.unexpected} replies did not match their requests`] : []),
      ...(tally.skipped > 0 || tally.shed > tally.requests * SHED_SHARE_MAX ? ['the gateway did not keep up'] : []),
      ...(seen === counted ? [] : ['replies and usage report different sums']),
      ...(Number(spend.unexplainedUsd) === 0 ? [] : ['the books differ']),
      ...findLeaks(result, last >= SECONDS_MIN ? floors : undefined),
    ],
  };
}

function findLeaks({ atStart, atRest }: SoakResult, floors: readonly [number, number] | undefined): string[] {
  const faults: string[] = [];
  if (atRest.inFlight > 1) faults.push(`${atRest.inFlight} requests never ended`);
  if (atRest.descriptors > atStart.descriptors + DESCRIPTORS_KEPT_MAX) faults.push(`${atRest.descriptors} descriptors are open at rest`);
  if (floors !== undefined && floors[1] > floors[0] * (1 + FLOOR_GROWTH_MAX))
    faults.push(`what is left of the heap after collection grew from ${floors[0].toFixed(0)} to ${floors[1].toFixed(0)} MB`);
  return faults;
}

/** The least heap of each half: between two collections it rises with whatever waits to be collected. */
function findFloors(samples: readonly Sample[]): readonly [number, number] {
  const middle = samples.length >> 1;
  const least = (part: readonly Sample[]): number => Math.min(...part.map(({ heapMb }) => heapMb));
  return [least(samples.slice(0, middle)), least(samples.slice(middle))];
}

function describeState({ rssMb, heapMb, descriptors, inFlight }: Sample): string {
  return `${rssMb.toFixed(0)} MB, heap ${heapMb.toFixed(0)} MB, ${descriptors} descriptors, ${inFlight} in flight`;
}

function describeTrend(samples: readonly Sample[], name: Measure, unit: string): string {
  const { perHour, standardError, mean } = findTrend(samples.map((sample) => [sample.seconds, sample[name]]));
  const sign = perHour >= 0 ? '+' : '';
  return `${name}: mean ${mean.toFixed(1)} ${unit}, ${sign}${perHour.toFixed(1)} ± ${standardError.toFixed(1)} ${unit} an hour`;
}
