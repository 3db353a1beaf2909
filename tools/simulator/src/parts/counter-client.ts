import { HoldsUnavailableError, type FreeModelDays, type HoldStore } from '@weir/limits';
import type { WatermarkStore } from '@weir/usage';
import { Line } from '../physics/line';
import type { SimProcess } from '../physics/sim-process';
import { SETTLING_MS, type Counters } from './counters';

const LOOK_EVERY_MS = 500;
const TIMEOUT_MS = 100;
/** Where no request waits for it. */
const PATIENT_MS = 2_000;

export type CounterClient = { readonly holds: HoldStore; readonly freeDays: FreeModelDays; readonly watermarks: WatermarkStore };

/** The counters as one process reaches them: over a line, trusting a new generation only when others had time to report. */
export function createCounterClient(process: SimProcess, counters: Counters): CounterClient {
  const line = new Line(process, counters);
  const call = <Result>(what: string, serve: () => Result | Promise<Result>, timeoutMs = PATIENT_MS): Promise<Result> =>
    line.call({ what, timeoutMs, isRepeatable: true }, serve);
  const generation = watchGeneration(process, counters, line);
  const { faults } = process.world;
  const holds: HoldStore = {
    reserve: async (request) => {
      const known = generation.require();
      const unseeded = { kind: 'unseeded' as const, scopes: request.limits.flatMap(({ scope, past = [] }) => [scope, ...past]) };
      const answer = await call(
        `reserve ${request.holdId}`,
        () => (counters.generation === known ? counters.holds.reserve(request) : unseeded),
        TIMEOUT_MS,
      );
      if (answer.kind === 'unseeded') {
        await generation.learn();
        return { ...answer, generation: String(generation.require()) };
      }
      return answer;
    },
    seed: async (organizationId, bases, asked) => {
      const known = generation.require();
      if (asked !== undefined && asked !== String(known)) return;
      const seeded = faults.isMutated('forget-base') ? bases.map((base) => ({ ...base, base: 0n })) : bases;
      await call('seed', () => (counters.generation === known ? counters.holds.seed(organizationId, seeded) : undefined));
    },
    renew: (hold, ttlMs) => call(`renew ${hold.holdId}`, () => counters.holds.renew(hold, ttlMs)),
    settle: (hold) => {
      if (faults.isMutated('settle-twice')) void counters.holds.register({ ...hold, holdId: `${hold.holdId}-again` });
      return call(`settle ${hold.holdId} ${hold.spent.join(' ')}`, () => counters.holds.settle(hold));
    },
    register: (hold) => call(`register ${hold.holdId} ${hold.spent.join(' ')}`, () => counters.holds.register(hold)),
    confirm: (organizationId, confirmed) => call('confirm', () => counters.holds.confirm(organizationId, confirmed)),
    readTaken: (organizationId, scopes) => call('read taken', () => counters.holds.readTaken(organizationId, scopes)),
    readScope: (organizationId, scope) => call('read scope', () => counters.holds.readScope(organizationId, scope)),
    listScopes: () => call('list scopes', () => counters.holds.listScopes()),
    enrolWriter: (writerId) => call('enrol', () => counters.holds.enrolWriter(writerId)),
    reportWriter: (writerId, asOfMs) => call('report', () => counters.holds.reportWriter(writerId, asOfMs)),
    retireWriter: (writerId) => call('retire', () => counters.holds.retireWriter(writerId)),
    onLoss: generation.onLoss,
  };
  const freeDays: FreeModelDays = {
    keptMs: counters.freeDays.keptMs,
    take: (slot, limit) => call('take slot', () => counters.freeDays.take(slot, limit), TIMEOUT_MS),
    readUsed: (day) => call('read slots', () => counters.freeDays.readUsed(day)),
    keep: (slot) => call('keep slot', () => counters.freeDays.keep(slot)),
    use: (slot) => call('use slot', () => counters.freeDays.use(slot)),
    giveBack: (slot) => call('give slot back', () => counters.freeDays.giveBack(slot)),
  };
  const ahead = faults.isMutated('trim-too-early') ? 2n : 0n;
  const watermarks: WatermarkStore = {
    publish: (marks) => call('publish watermarks', () => counters.watermarks.publish(marks)),
    read: async (writerId) => {
      const mark = await call('read watermark', () => counters.watermarks.read(writerId));
      return mark === undefined ? undefined : mark + ahead;
    },
  };
  return { holds, freeDays, watermarks };
}

type Generation = { require(): number; learn(): Promise<void>; onLoss(listener: () => void): () => void };

function watchGeneration(process: SimProcess, counters: Counters, line: Line): Generation {
  const listeners = new Set<() => void>();
  let known: { readonly id: number; readonly trustedFromMs: number } | undefined;
  let lastId: number | undefined;

  const learn = async (): Promise<void> => {
    const asked = { what: 'look', timeoutMs: LOOK_EVERY_MS };
    const seen = await line
      .call(asked, () => ({ id: counters.generation, ageMs: counters.ageMs() }))
      .catch((error: unknown) => {
        known = undefined;
        throw error;
      });
    if (known?.id !== seen.id) known = { id: seen.id, trustedFromMs: process.elapsed() + Math.max(0, SETTLING_MS - seen.ageMs) };
    if (lastId === seen.id) return;
    const isLoss = lastId !== undefined;
    lastId = seen.id;
    if (isLoss) for (const listener of listeners) listener();
  };
  const look = (): void => void learn().catch(() => undefined);
  look();
  process.timers.setInterval(look, LOOK_EVERY_MS);
  return {
    require: () => {
      if (known === undefined) throw new HoldsUnavailableError('the counters of limits cannot be reached');
      if (process.elapsed() < known.trustedFromMs) throw new HoldsUnavailableError('the counters of limits are being built anew');
      return known.id;
    },
    learn,
    onLoss: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
