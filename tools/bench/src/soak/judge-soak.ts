import { addUsd } from '@weir/gateway-e2e';
import { findTrend, type Trend } from './find-trend';
import type { SoakResult } from './run-soak';
import type { Sample } from './take-sample';

export type Judgement = {
  readonly lines: readonly string[];
  /** Empty when all is well. */
  readonly faults: readonly string[];
};

/** What is looked at for growth, and how much an hour of it is too much. */
const WATCHED: readonly (readonly [name: keyof Sample, unit: string, perHourMax: number])[] = [
  ['rssMb', 'MB', 100],
  ['heapMb', 'MB', 50],
  ['externalMb', 'MB', 50],
  ['descriptors', '', 30],
  ['sockets', '', 30],
];

/** Before this share of the run, caches fill and code is compiled. */
const WARM_UP_SHARE = 1 / 3;
/** Shorter than this, a line through samples says little about an hour. */
const SECONDS_MIN = 900;

export function judgeSoak({ samples, atRest, tally, spend }: SoakResult): Judgement {
  const last = samples.at(-1)?.seconds ?? 0;
  const warm = samples.filter(({ seconds }) => seconds > last * WARM_UP_SHARE);
  const trends = WATCHED.map(([name, unit, perHourMax]) => {
    const trend = findTrend(warm.map((sample) => [sample.seconds, sample[name]]));
    return { line: describeTrend(name, unit, trend), grows: last >= SECONDS_MIN && isGrowth(trend, perHourMax) };
  });
  const seen = addUsd([tally.seen.plain, tally.seen.guarded]);
  const counted = addUsd([spend.ofKey.plain, spend.ofKey.guarded]);
  const kinds = [...tally.byKind].map(([name, count]) => `${name} ${count}`).join(', ');
  return {
    lines: [
      `requests: ${tally.requests}, unexpected: ${tally.unexpected}, not sent because too many were running: ${tally.skipped}`,
      `  ${kinds}`,
      ...tally.examples.map((example) => `  ! ${example}`),
      `after warm-up (${warm.length} samples from ${Math.round(warm[0]?.seconds ?? 0)} s on):`,
      ...trends.map(({ line }) => `  ${line}`),
      `at rest: ${atRest.rssMb.toFixed(0)} MB, heap ${atRest.heapMb.toFixed(0)} MB, ${atRest.descriptors} descriptors, ${atRest.inFlight} in flight`,
      `replies said $${seen} in all, usage says $${counted}; of those who left usage says $${spend.ofKey.leaving}`,
      `events, rollups, spend and ledger differ by $${spend.unexplainedUsd}`,
    ],
    faults: [
      ...(tally.unexpected > 0 ? [`${tally.unexpected} answers were not what was asked for`] : []),
      ...(tally.skipped > 0 ? ['the gateway did not keep up'] : []),
      ...(seen === counted ? [] : ['replies and usage tell different sums']),
      ...(Number(spend.unexplainedUsd) === 0 ? [] : ['the books differ']),
      ...(atRest.inFlight > 1 ? [`${atRest.inFlight} requests never ended`] : []),
      ...trends.flatMap(({ line, grows }) => (grows ? [`it grows: ${line}`] : [])),
    ],
  };
}

function isGrowth({ perHour, standardError }: Trend, perHourMax: number): boolean {
  return perHour > perHourMax && perHour > 2 * standardError;
}

function describeTrend(name: string, unit: string, { perHour, standardError, mean }: Trend): string {
  return `${name}: mean ${mean.toFixed(1)} ${unit}, ${perHour >= 0 ? '+' : ''}${perHour.toFixed(1)} ± ${standardError.toFixed(1)} ${unit} an hour`;
}
