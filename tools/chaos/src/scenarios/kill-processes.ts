import { waitUntil } from '@weir/testing';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { FAIL_POINT_ROWS, type FailPointRow } from '../faults/fail-point-rows';
import { failAt, killService, reviveService } from '../faults/inject-fault';
import type { Rig } from '../rig/start-rig';
import { createRandom, pickInteger, pickOne } from '../random';
import { expectThat, type Findings, type Scenario, type ScenarioRun } from './scenario';

const RATE = { short: 40, full: 100 };
const RANDOM_KILLS = { short: 2, full: 50 };
/** Under load, before the first fault and after the last. */
const REST_MS = { short: 300, full: 1_000 };

type KilledService = 'edge-router' | 'chat-translator' | 'usage-aggregator';

/** Lets a service die under load at each of its points in turn, each restart carrying the next one. It is dead in the end. */
async function dieAtEach({ rig, size, report }: ScenarioRun, victim: FailPointRow['service']): Promise<number> {
  rig.load(RATE[size]);
  await pause(REST_MS[size]);
  let deaths = 0;
  for (const { point, service, nth } of FAIL_POINT_ROWS) {
    if (service !== victim) continue;
    const didFail = await failAt(rig, service, `${point}:kill@${nth}`);
    report(`${point}@${nth}: ${didFail ? 'died' : 'was not reached'}`);
    expectThat(didFail, `the fail point ${point} is reached under load`);
    deaths += 1;
  }
  return deaths;
}

async function killAtRandom(
  { rig, size, seed, report, kills = RANDOM_KILLS[size] }: ScenarioRun,
  services: readonly KilledService[],
): Promise<number> {
  const random = createRandom(seed);
  for (let kill = 1; kill <= kills; kill += 1) {
    await pause(pickInteger(random, 100, 1_500));
    const service = pickOne(random, services);
    report(`kill -9 ${service} (${kill} of ${kills})`);
    await killService(rig, service, size === 'full' ? 1_000 : 200);
  }
  return kills;
}

export const killWorkers: Scenario = {
  id: 'M1',
  title: 'nothing lost or doubled when edge-router and worker are killed at every fail point and at any instant',
  run: async (options) => {
    const { rig, size } = options;
    const deaths = await dieAtEach(options, 'chat-translator');
    await reviveService(rig, 'chat-translator');
    const kills = await killAtRandom(options, ['chat-translator', 'edge-router']);
    await pause(REST_MS[size]);
    return { verdict: await rig.verify(), findings: { 'deaths at fail points': deaths, kills } };
  },
};

export const killAggregators: Scenario = {
  id: 'M2',
  title: 'nothing lost or doubled when the aggregator is killed at every fail point, and a frozen one comes back as a zombie',
  run: async (options) => {
    const { rig } = options;
    const deaths = await dieAtEach(options, 'usage-aggregator');
    const findings = await makeZombie(options);
    return { verdict: await rig.verify(), findings: { 'deaths at fail points': deaths, ...findings } };
  },
};

/** Without fail points: as many kills as the command says, of every process that money goes through. */
export const killAny: Scenario = {
  id: 'kills',
  title: 'nothing lost or doubled when edge-router, worker and aggregator are killed at any instant, again and again',
  isLong: true,
  run: async (options) => {
    const { rig, size } = options;
    rig.load(RATE[size]);
    await pause(REST_MS[size]);
    const kills = await killAtRandom(options, ['chat-translator', 'edge-router', 'usage-aggregator']);
    await pause(REST_MS[size]);
    return { verdict: await rig.verify({ quiesceMs: KILLS_QUIESCE_MS }), findings: { kills } };
  },
};

/** An aggregator that was killed keeps its partitions until its session is over. */
const KILLS_QUIESCE_MS = 180_000;

/** The server gives a frozen transaction ten seconds, the broker a silent member fewer; then the backlog has to be made up for. */
const TAKEOVER_SECONDS_MAX = 15;
const TAKEOVER_PATIENCE_MS = 60_000;
const REPEATS_WITHIN_MS = 3_000;

/** Freezes an aggregator in the middle of a transaction until its session is over, with a second one that joins meanwhile. */
async function makeZombie({ rig, size, report }: ScenarioRun): Promise<Findings> {
  const frozenMs = size === 'full' ? 66_000 : 0;
  const { services, startAnother, restart } = rig.harness;
  await restart('usage-aggregator', { FAILPOINT: 'agg.tx.before_commit:stop@3' });
  const zombie = services['usage-aggregator'];
  const before = await rig.metrics('chat-translator');
  await waitUntil('the aggregator froze', () => isStopped(zombie.child.pid ?? 0), 30_000);
  // Not before: it could be given the partition of the busy writer, and the other would have nothing to freeze over.
  const second = await startAnother('usage-aggregator');
  const counted = await countSeen(rig);
  report('frozen');
  await pause(frozenMs);
  // The frozen one holds the only busy writer: nothing is counted before it has lost its transaction.
  await waitUntil('the living aggregator takes over', async () => (await countSeen(rig)) > counted, TAKEOVER_PATIENCE_MS);
  const meanwhile = await rig.metrics('chat-translator');
  zombie.child.kill('SIGCONT');
  report('back as a zombie');
  const repeats = await countRepeats(rig);
  await second.terminate();
  const lagSeconds = meanwhile.get('weir_usage_watermark_lag_seconds') ?? -1;
  const isTakenOver = size === 'short' || lagSeconds < TAKEOVER_SECONDS_MAX;
  expectThat(isTakenOver, `the living aggregator takes over from the frozen one (lag ${lagSeconds} s after ${frozenMs} ms)`);
  return {
    'duplicates dropped by the zombie': repeats,
    'lag while frozen, s': lagSeconds,
    'lag before, s': before.get('weir_usage_watermark_lag_seconds') ?? -1,
  };
}

async function countSeen({ pool }: Rig): Promise<number> {
  const { rows } = await pool.query<{ seen: string | null }>('SELECT sum(upper(seen))::text AS seen FROM usage_writer');
  return Number(rows[0]?.seen ?? 0);
}

/** What the zombie still wants to count, and how much of it was dropped; none when its partitions were taken from it in time. */
async function countRepeats(rig: Rig): Promise<number> {
  const read = async (): Promise<number> => (await rig.metrics('usage-aggregator')).get('weir_usage_events_total{result="duplicate"}') ?? 0;
  for (const until = Date.now() + REPEATS_WITHIN_MS; Date.now() < until; await pause(100)) if ((await read()) > 0) break;
  return read();
}

/** The kernel's own word for a process that was stopped. */
function isStopped(pid: number): boolean {
  return /^State:\s+T/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}
