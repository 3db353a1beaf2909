import { readFileSync } from 'node:fs';
import { FAIL_POINT_ROWS, type FailPointRow } from '../faults/fail-point-rows';
import { failAt, killService, reviveService } from '../faults/inject-fault';
import type { Rig } from '../house/start-rig';
import { pause, waitUntil } from '../pause';
import { createRandom, pickInteger, pickOne } from '../random';
import { expectThat, type Findings, type Scenario, type ScenarioRun } from './scenario';

const RATE = { short: 40, full: 100 };
const RANDOM_KILLS = { short: 3, full: 50 };

/** Lets a service die at each point in turn, each restart carrying the next one. */
async function dieAtEach(rig: Rig, rows: readonly FailPointRow[], tell: (line: string) => void): Promise<number> {
  let deaths = 0;
  for (const { point, service, nth } of rows) {
    const didFail = await failAt(rig, service, `${point}:kill@${nth}`);
    tell(`${point}@${nth}: ${didFail ? 'died' : 'was not reached'}`);
    expectThat(didFail, `the fail point ${point} is reached under load`);
    deaths += 1;
    await pause(200);
  }
  const [first] = rows;
  if (first !== undefined) await reviveService(rig, first.service);
  return deaths;
}

async function killAtRandom(
  { rig, size, seed, tell }: ScenarioRun,
  services: readonly ('edge-router' | 'chat-translator')[],
): Promise<number> {
  const random = createRandom(seed);
  for (let kill = 0; kill < RANDOM_KILLS[size]; kill += 1) {
    await pause(pickInteger(random, 100, 1_500));
    const service = pickOne(random, services);
    tell(`kill -9 ${service}`);
    await killService(rig, service, size === 'full' ? 1_000 : 200);
  }
  return RANDOM_KILLS[size];
}

export const killWorkers: Scenario = {
  id: 'M1',
  title: 'nothing lost or doubled when edge-router and worker are killed at every fail point and at any instant',
  run: async (options) => {
    const { rig, size, tell } = options;
    rig.load(RATE[size]);
    await pause(1_000);
    const deaths = await dieAtEach(
      rig,
      FAIL_POINT_ROWS.filter(({ service }) => service === 'chat-translator'),
      tell,
    );
    const kills = await killAtRandom(options, ['chat-translator', 'edge-router']);
    await pause(1_000);
    return { verdict: await rig.verify(), findings: { 'deaths at fail points': deaths, kills } };
  },
};

export const killAggregators: Scenario = {
  id: 'M2',
  title: 'nothing lost or doubled when the aggregator is killed at every fail point, and a frozen one comes back as a zombie',
  run: async (options) => {
    const { rig, size, tell } = options;
    rig.load(RATE[size]);
    await pause(1_000);
    const deaths = await dieAtEach(
      rig,
      FAIL_POINT_ROWS.filter(({ service }) => service === 'usage-aggregator'),
      tell,
    );
    const findings = await makeZombie(options);
    return { verdict: await rig.verify(), findings: { 'deaths at fail points': deaths, ...findings } };
  },
};

/** The server gives a frozen transaction ten seconds, the broker a silent member six; then the backlog has to be made up for. */
const TAKEOVER_SECONDS_MAX = 15;

/** Freezes an aggregator in the middle of a transaction for longer than its session, with a second one alive. */
async function makeZombie({ rig, size, tell }: ScenarioRun): Promise<Findings> {
  const frozenMs = size === 'full' ? 66_000 : 14_000;
  const { services, startAnother, restart } = rig.house;
  await services['usage-aggregator'].kill();
  await restart('usage-aggregator', { FAILPOINT: 'agg.tx.before_commit:stop@5' });
  const zombie = services['usage-aggregator'];
  const second = await startAnother('usage-aggregator');
  const before = await rig.metrics('chat-translator');
  await waitUntil('the aggregator froze', () => isStopped(zombie.child.pid ?? 0), 30_000);
  tell(`frozen for ${frozenMs} ms`);
  await pause(frozenMs);
  const meanwhile = await rig.metrics('chat-translator');
  zombie.child.kill('SIGCONT');
  tell('back as a zombie');
  await pause(3_000);
  const duplicates = (await rig.metrics('usage-aggregator')).get('weir_usage_events_total{result="duplicate"}') ?? 0;
  await second.terminate();
  const lagSeconds = meanwhile.get('weir_usage_watermark_lag_seconds') ?? -1;
  const isTakenOver = size === 'short' || lagSeconds < TAKEOVER_SECONDS_MAX;
  expectThat(isTakenOver, `the living aggregator takes over from the frozen one (lag ${lagSeconds} s after ${frozenMs} ms)`);
  return {
    'duplicates dropped by the zombie': duplicates,
    'lag while frozen, s': lagSeconds,
    'lag before, s': before.get('weir_usage_watermark_lag_seconds') ?? -1,
  };
}

/** The kernel's own word for a process that was stopped. */
function isStopped(pid: number): boolean {
  return /^State:\s+T/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}
