import { formatUsd } from '@weir/pricing';
import { checkEnd } from './check/check-end';
import { writeScript } from './load/script';
import type { FaultKind } from './physics/faults';
import { heal, planFaults } from './rig/plan-faults';
import { Supervisor } from './rig/supervisor';
import { World, type Ending, type WorldOptions } from './world/world';

export type WorldReport = {
  readonly seed: number;
  readonly attempts: number;
  readonly requests: number;
  readonly faults: ReadonlyMap<FaultKind, number>;
  readonly steps: number;
  readonly virtualMs: number;
  readonly digest: string;
  /** What was broken; empty where every promise held. */
  readonly violations: readonly string[];
  /** What happened that has to do with it, lately last. */
  readonly trace: readonly string[];
};

const EVERY_MS = { least: 5, most: 350 };
const REST_LOOK_MS = 5_000;
const REST_WITHIN_MS = 900_000;
/** Nothing has changed for so many looks: longer than holds last, and what is compared now and then. */
const LOOKS_ALIKE = 40;
/** After the last request and the last fault counters are compared once more. */
const GRACE_MS = 60_000;
const LINES = 60;

/** Lets a world run under its load and its faults, heals it, and says whether all that was promised holds. */
export async function runWorld(options: WorldOptions): Promise<WorldReport> {
  const world = new World(options);
  const onRejection = (error: unknown): void => world.onEscaped(error);
  process.on('unhandledRejection', onRejection);
  try {
    return await run(world);
  } finally {
    process.off('unhandledRejection', onRejection);
  }
}

async function run(world: World): Promise<WorldReport> {
  const supervisor = new Supervisor(world);
  const load = startLoad(world, supervisor);
  supervisor.startAll();
  planFaults(world, supervisor);
  const isBroken = (): boolean => world.escaped !== undefined || world.oracle.violations.length > 0;
  const { scheduler, oracle } = world;
  await scheduler.run(Infinity, () => isBroken() || load.isOver());
  heal(world, supervisor);
  await waitForRest(world, isBroken);
  const violations = [...oracle.violations];
  if (world.escaped !== undefined) violations.push(describe(world.escaped));
  if (violations.length === 0) violations.push(...(await checkEnd(world)));
  else violations.push(...(await describeScopes(world, oracle.violations)));
  return report(world, violations);
}

/** Until all is as it has to be in the end, or nothing changes any more. */
async function waitForRest(world: World, isBroken: () => boolean): Promise<void> {
  const { scheduler } = world;
  const restBy = scheduler.nowMs + REST_WITHIN_MS;
  const isAtRest = (): boolean => world.workers.every((slot) => slot.isAtRest);
  let before = '';
  let looks = 0;
  while (!isBroken() && scheduler.nowMs < restBy) {
    await scheduler.run(scheduler.nowMs + REST_LOOK_MS, isBroken);
    for (const slot of world.workers) if (slot.isWaiting) slot.process?.kill('is restarted for a journal that waits');
    if (!isAtRest()) continue;
    const broken = (await checkEnd(world)).join('\n');
    looks = broken === before ? looks + 1 : 0;
    before = broken;
    if (broken === '' || looks === LOOKS_ALIKE) break;
  }
  if (!isBroken()) await scheduler.run(scheduler.nowMs + GRACE_MS, isBroken);
}

/** What the counters know of the scopes that are named. */
async function describeScopes({ counters, customers, oracle }: World, named: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const scope of new Set(named.flatMap((text) => text.match(/^\S+/g) ?? []))) {
    for (const organizationId of new Set(customers.list.map(({ key }) => key.organizationId))) {
      const { base, open, settled } = await counters.holds.readScope(organizationId, scope);
      const list = [...open, ...settled].map(({ holdId, amount }) => `${holdId} ${amount}`).join(', ');
      if (base > 0n || list !== '') found.push(`counters have ${base} and ${list}; the onlooker ${oracle.describe(organizationId, scope)}`);
    }
  }
  return found;
}

function describe(escaped: unknown): string {
  return escaped instanceof Error ? (escaped.stack ?? escaped.message) : `an error escaped: ${String(escaped)}`;
}

function startLoad(world: World, supervisor: Supervisor): { isOver(): boolean } {
  const { load } = world.dice;
  let sent = 0;
  const send = (): void => {
    if (sent === world.options.requests) return;
    sent += 1;
    world.scheduler.after(load.between(EVERY_MS.least, EVERY_MS.most), null, send);
    const script = writeScript(load, world.customers.list.length, world.faults);
    const edges = supervisor.edges();
    const customer = world.customers.list[script.customer];
    if (edges.length === 0 || customer === undefined) return;
    const id = `r${sent}`;
    const read = (ending: Ending | 'refused' | 'failed'): void => {
      const request = world.oracle.requests.get(id);
      world.trace.note('caller', `${id} reads ${typeof ending === 'string' ? ending : `${ending.status} ${ending.costPico}`}`);
      if (typeof ending !== 'string' && request !== undefined) request.seenUsd = formatUsd(ending.costPico);
    };
    load.pick(edges).request(id, customer, script).then(read).catch(world.onEscaped);
  };
  send();
  return { isOver: () => sent === world.options.requests };
}

function report(world: World, violations: readonly string[]): WorldReport {
  const { options, oracle, faults, scheduler, settings, trace } = world;
  const lines = options.isDetailed === true ? LINES * 100 : LINES;
  const words = violations.flatMap((text) => text.match(/\br\d+\b|[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []);
  return {
    ...{ seed: options.seed, attempts: oracle.attempts, requests: oracle.requests.size, faults: faults.counts },
    ...{ steps: scheduler.steps, virtualMs: scheduler.nowMs - settings.startMs, digest: trace.digest(), violations },
    trace: violations.length === 0 ? [] : words.length > 0 ? trace.about(words, lines) : trace.tail(lines),
  };
}
