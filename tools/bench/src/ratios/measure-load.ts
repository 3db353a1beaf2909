import type { LoadJob, LoadResult } from '../processes/load-job';
import { buildBody, type Load } from './loads';
import { findServing, readProcessTimes, usedMicroseconds } from './process-times';
import type { Sample, Values } from './samples';
import type { Tools } from './start-tools';
import type { Target } from './targets';

export type Rounds = { readonly rounds: number; readonly seconds: number; readonly announce: (line: string) => void };

export type Pair = { readonly load: Load; readonly target: Target };

type Run = Rounds & { readonly tools: Tools };

/** Every target is asked for every load in every round, so that what is compared was measured at nearly the same time. */
export function measureRounds(loads: readonly Load[], targets: readonly Target[], run: Run): Promise<Sample[]> {
  const pairs = loads.flatMap((load) => targets.map((target) => ({ load, target })));
  return measurePairs(pairs, run);
}

export async function measurePairs(pairs: readonly Pair[], { tools, rounds, seconds, announce }: Run): Promise<Sample[]> {
  for (const { load, target } of pairs) await checkPrice(load, target, tools);
  const samples: Sample[] = [];
  // Round 0 warms up and is not judged: in the first seconds of a process the compiler is measured.
  for (let round = 0; round <= rounds; round += 1) {
    for (const { load, target } of pairs) {
      announce(`round ${round} of ${rounds}: ${load.name}, ${target.name}`);
      const { values, errors, fault } = await measureLoad(load, target, { tools, seconds });
      samples.push({ load: load.name, target: target.name, round, values, errors, fault });
    }
  }
  return samples;
}

/** A stream that does not ask for its usage shows no price: what it costs is seen on one that asks. */
async function checkPrice(load: Load, target: Target, tools: Tools): Promise<void> {
  if (target.name === 'relay') return;
  await tools.plan(load.reply);
  const body = buildBody(load, { asksUsage: true });
  const { requests, errors, firstError } = await tools.generate({
    ...createJob(load, target, 0.05),
    body,
    wantsCost: true,
    concurrency: 1,
  });
  if (errors > 0 || requests === 0) throw new Error(`${target.name}, ${load.name}: ${firstError ?? 'no reply'}`);
}

const CONNECTING_SECONDS = 0.2;
/** Below this share of its rate a paced load was not paced. */
const PACED_SHARE = 0.97;

type Measured = Pick<Sample, 'values' | 'errors' | 'fault'> & {
  /** All that were served, those that opened connections too. */
  readonly requests: number;
  /** The processes that held callers' connections. */
  readonly serving: ReadonlySet<number>;
};

export async function measureLoad(load: Load, target: Target, { tools, seconds }: { tools: Tools; seconds: number }): Promise<Measured> {
  await tools.plan(load.reply);
  const opening = await tools.generate(createJob(load, target, CONNECTING_SECONDS));
  const from = readProcessTimes(target.roots);
  const running = tools.generate(createJob(load, target, seconds));
  const [result, serving] = await Promise.all([running, findServingDuring(running, target, seconds)]);
  const to = readProcessTimes(target.roots);
  const perRequest = (only?: ReadonlySet<number>): number => usedMicroseconds(from, to, only) / result.requests;
  const isCounted = from.size > 0 && serving.size > 0 && result.requests > 0;
  const values: Values = {
    ...(isCounted ? { serving: perRequest(serving), all: perRequest() } : {}),
    perSecond: result.requests / result.elapsedSeconds,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
  };
  const fault = opening.firstError ?? result.firstError ?? findPaceFault(load, result);
  return { values, errors: opening.errors + result.errors, fault, requests: opening.requests + result.requests, serving };
}

const LOOKED_EVERY_MS = 200;

/** Looked for in the middle, when all connections are open, and then until some are found: on a busy machine a generator connects late. */
async function findServingDuring(running: Promise<unknown>, { roots, port }: Target, seconds: number): Promise<Set<number>> {
  let isOver = false;
  void running.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
  await pause((seconds * 1000) / 2);
  let serving = findServing(roots, port);
  while (!isOver && serving.size === 0) {
    await pause(LOOKED_EVERY_MS);
    serving = findServing(roots, port);
  }
  return serving;
}

function findPaceFault({ perSecond }: Load, { requests, elapsedSeconds }: LoadResult): string | undefined {
  const served = requests / elapsedSeconds;
  if (perSecond === undefined || served >= perSecond * PACED_SHARE) return undefined;
  return `${served.toFixed(0)} a second were served of ${perSecond} asked for: compare with care`;
}

function createJob(load: Load, target: Target, seconds: number): LoadJob {
  return {
    port: target.port,
    path: '/v1/chat/completions',
    key: target.key,
    body: buildBody(load),
    stream: load.stream,
    // A stream shows its price only to those who ask for usage.
    wantsCost: target.name !== 'relay' && !load.stream,
    frames: load.reply.frames,
    concurrency: load.connections,
    seconds,
    ...(load.perSecond === undefined ? {} : { perSecond: load.perSecond }),
  };
}
