import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { readMetrics } from '@weir/chaos';
import { waitUntil } from '@weir/testing';
import { nextMessage, stopChild } from '../measure/start-child';
import { createRequestBody } from '../processes/sample-bodies';
import { buildAllKinds, buildChatKinds, type ReplyMix, type KindsOptions } from './kinds';
import type { KindResult, OpenLoadJob, OpenLoadKind, OpenLoadResult } from './open-load-job';
import { pinProcess } from './pin-process';
import { OTHER_CORE, startOverloadHarness, type OverloadHarness, type OverloadHarnessOptions } from './start-overload-harness';
import { watchHealth, type HealthSeen } from './watch-health';

export type OverloadOptions = OverloadHarnessOptions & {
  /** How long too much is asked. */
  readonly seconds: number;
  /** How many times what the gateway can do is asked of it. */
  readonly times: number;
  readonly paidShare: number;
  /** Where stepping up begins, and what it warms up with: requests a second. */
  readonly from: number;
  /** What it can do, where that is known already. */
  readonly peak: number | undefined;
  readonly warmUpSeconds: number;
};

export type OverloadResult = {
  /** What it does at its best: the mean of before the overload and after it, since machines differ from minute to minute. */
  readonly peakPerSecond: number;
  /** Requests for chat answered to the end, a second of the overload, once its first seconds are over. */
  readonly goodPerSecond: number;
  readonly lateMsP99: number;
  readonly kinds: readonly KindResult[];
  readonly health: HealthSeen;
  readonly recoveryMs: number;
};

type Load = {
  readonly harness: OverloadHarness;
  readonly generator: ChildProcess;
  readonly settleSeconds: number;
  readonly announce: (line: string) => void;
};

/** So many requests are under way at most; callers open them before. */
const CONNECTIONS_MAX = 2_000;
const STEP = 1.4;
/** How long a rate is tried, and how long until what is answered says something about it: streams of models take up to three seconds. */
const STEP_SECONDS: Record<ReplyMix, number> = { models: 9, streams: 4, whole: 4 };
const SETTLE_SECONDS: Record<ReplyMix, number> = { models: 4, streams: 1, whole: 1 };
/** Between the last rate that was borne and the first that was not. */
const FINE_STEPS = [1.13, 1.26];
/** Of what was the best before, how it is asked for again afterwards. */
const [AROUND_FROM, AROUND_TO, AROUND_STEP] = [0.7, 1.5, 1.12];
const BORNE_SHARE = 0.97;
const RECOVERY_PATIENCE_MS = 60_000;

/** Finds what a gateway can do, then asks several times as much of it, and looks what becomes of whom. */
export async function runOverload(options: OverloadOptions, announce: (line: string) => void): Promise<OverloadResult> {
  const harness = await startOverloadHarness(options);
  const generator = fork(join(__dirname, 'open-load-generator.js'));
  try {
    pinProcess(generator.pid as number, OTHER_CORE);
    const load = { harness, generator, settleSeconds: SETTLE_SECONDS[options.mix], announce };
    if (options.warmUpSeconds > 0) await send(load, buildChatKinds(harness, describeKinds(options, options.from)), options.warmUpSeconds);
    const peakPerSecond = options.peak ?? (await findPeak(load, options));
    announce(`at its best: ${peakPerSecond.toFixed(0)} requests a second`);
    const watch = watchHealth(harness.harness);
    const asked = buildAllKinds(harness, describeKinds(options, peakPerSecond * options.times));
    const { lateMsP99, kinds } = await send(load, asked, options.seconds);
    const endedAt = performance.now();
    await waitUntilServed(harness);
    const recoveryMs = performance.now() - endedAt;
    const health = await watch.stop();
    const again = await measureBest(load, options, peakPerSecond);
    announce(`at its best again: ${again.toFixed(0)} requests a second`);
    return { peakPerSecond: (peakPerSecond + again) / 2, goodPerSecond: countGood(kinds), lateMsP99, kinds, health, recoveryMs };
  } finally {
    await stopChild(generator);
    await harness.stop();
  }
}

function describeKinds({ paidShare, mix }: OverloadOptions, perSecond: number): KindsOptions {
  return { perSecond, paidShare, mix };
}

/** Steps up the rate until not all are served in time, then goes between; the most that was served where all were. */
async function findPeak(load: Load, options: OverloadOptions): Promise<number> {
  const { best, isBorne } = createTrial(load, options);
  let perSecond = options.from;
  while (await isBorne(perSecond)) perSecond *= STEP;
  for (const step of FINE_STEPS) await isBorne((perSecond / STEP) * step);
  return best();
}

/** The most that is served where all are, around what is known to be about the best. */
async function measureBest(load: Load, options: OverloadOptions, known: number): Promise<number> {
  const { best, isBorne } = createTrial(load, options);
  for (let perSecond = known * AROUND_FROM; perSecond < known * AROUND_TO; perSecond *= AROUND_STEP) if (!(await isBorne(perSecond))) break;
  return best();
}

function createTrial(load: Load, options: OverloadOptions) {
  let best = 0;
  const isBorne = async (perSecond: number): Promise<boolean> => {
    const asked = buildChatKinds(load.harness, describeKinds(options, perSecond));
    const { kinds } = await send(load, asked, STEP_SECONDS[options.mix]);
    const good = countGood(kinds);
    load.announce(`${perSecond.toFixed(0)} asked a second, ${good.toFixed(0)} served (${kinds.map(describeLatency).join(', ')})`);
    await waitUntilServed(load.harness);
    const isAll = good >= perSecond * BORNE_SHARE;
    if (isAll) best = Math.max(best, good);
    return isAll;
  };
  return { best: () => best, isBorne };
}

function describeLatency({ name, doneMs }: KindResult): string {
  return `${name} p50 ${doneMs.p50.toFixed(0)} ms, p99 ${doneMs.p99.toFixed(0)} ms`;
}

function send({ harness, generator, settleSeconds }: Load, kinds: readonly OpenLoadKind[], seconds: number): Promise<OpenLoadResult> {
  const answer = nextMessage<OpenLoadResult>(generator, 'open load generator');
  const job: OpenLoadJob = { port: harness.port, seconds, settleSeconds, connectionsMax: CONNECTIONS_MAX, kinds };
  generator.send(job);
  return answer;
}

/** Lists are no work anybody came for. */
function countGood(kinds: readonly KindResult[]): number {
  return kinds.filter(({ name }) => name !== 'lists').reduce((sum, { donePerSecond }) => sum + donePerSecond, 0);
}

/** Until who never paid is served as well, and nothing is refused any more. */
async function waitUntilServed({ harness, port, keys }: OverloadHarness): Promise<void> {
  const isServed = async (): Promise<boolean> => {
    const reply = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.unpaid}`, 'content-type': 'application/json' },
      body: createRequestBody('openai/gpt-4o-mini', false),
    });
    await reply.arrayBuffer();
    return reply.status === 200 && (await readMetrics(harness.metricsUrl)).get('weir_load_pressure') === 0;
  };
  await waitUntil('everybody is served again', isServed, RECOVERY_PATIENCE_MS);
}
