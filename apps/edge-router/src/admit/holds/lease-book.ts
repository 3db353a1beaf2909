import { randomUUID } from 'node:crypto';
import { NODE_TIMERS, type Timers } from '@weir/contracts';
import type { HoldStore, PlannedLimit } from '@weir/limits';

type LeaseBookParts = {
  readonly store: Pick<HoldStore, 'reserve' | 'renew' | 'settle' | 'onLoss'>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Of Node unless given, as in a simulation. */
  readonly timers?: Timers;
};

type LeaseAsk = { readonly organizationId: string; readonly apiKeyId: string; readonly limits: readonly PlannedLimit[] };

/** A little money per key, taken out of its limits while counters can be reached, to be spent while they cannot. */
export type LeaseBook = {
  /** After a hold was had: takes a lease for the key, unless there is one. Does not wait, and fails in silence. */
  take(ask: LeaseAsk): void;
  /** Spends from the lease; false when there is none that covers the amount. */
  spend(ask: LeaseAsk, amountPico: bigint): boolean;
  /** A limit is nearly used up: the unused part of the lease is needed. Returns whether something was given back. */
  release(ask: LeaseAsk): Promise<boolean>;
  /** Gives everything back that was not spent. */
  close(): Promise<void>;
};

const USD = 1_000_000_000_000n;
const LEASE_MAX = USD;
const LIMIT_PARTS = 100n;
const TTL_MS = 600_000;
/** Not to the end: what was begun on a lease must be known to counters by its own hold before the lease is given back. */
const USABLE_MS = TTL_MS - 180_000;
const RENEW_EVERY_MS = 60_000;
/** A key that was not used for so long needs no lease. */
const IDLE_MS = 300_000;
/** After a limit was nearly used up, or a lease was spent from, no new one is taken for so long. */
const REST_MS = 300_000;

type Lease = {
  readonly organizationId: string;
  readonly holdId: string;
  readonly scopes: readonly string[];
  readonly amounts: readonly bigint[];
  readonly amountPico: bigint;
  leftPico: bigint;
  usableUntilMs: number;
  usedAtMs: number;
  spentAtMs: number;
};

export function createLeaseBook({ store, now, timers = NODE_TIMERS }: LeaseBookParts): LeaseBook {
  const leases = new Map<string, Lease>();
  /** Keys for which a lease is being taken, or none is to be taken until then. */
  const resting = new Map<string, number>();

  /** A list of limits belongs to one key: see `createLimitPlanner`. */
  const keys = new WeakMap<LeaseAsk['limits'], string>();
  const keyOf = ({ limits, apiKeyId }: LeaseAsk): string => {
    let key = keys.get(limits);
    if (key === undefined) keys.set(limits, (key = `${apiKeyId} ${limits.map(({ scope }) => scope).join(' ')}`));
    return key;
  };
  const giveBack = async ({ organizationId, holdId, scopes }: Lease): Promise<void> =>
    store.settle({ organizationId, holdId, scopes, spent: scopes.map(() => 0n) });

  const takeNow = async (key: string, ask: LeaseAsk): Promise<void> => {
    const lease = await reserveLease(store, ask, now());
    if (lease === null) return;
    leases.set(key, lease);
    resting.delete(key);
  };

  const renew = async (lease: Lease, nowMs: number): Promise<void> => {
    await store.renew(lease, TTL_MS);
    lease.usableUntilMs = nowMs + USABLE_MS;
  };

  const keepUp = (): void => {
    const nowMs = now();
    for (const [key, untilMs] of resting) if (untilMs <= nowMs) resting.delete(key);
    for (const [key, lease] of leases) {
      const isSpentFrom = lease.leftPico < lease.amountPico;
      const isOver = isSpentFrom ? nowMs - lease.spentAtMs >= REST_MS : nowMs - lease.usedAtMs > IDLE_MS;
      if (isOver) leases.delete(key);
      // A worker that was cut off may not have reported yet what was begun on it: it expires, and is given back as any other hold.
      if (isOver && isSpentFrom) continue;
      (isOver ? giveBack(lease) : renew(lease, nowMs)).catch(() => undefined); // counters are away: a lease that is not renewed ends by itself
    }
  };
  const timer = timers.setInterval(keepUp, RENEW_EVERY_MS);
  timer.unref();
  // Counters that are built anew do not know of leases, and may give their money to others.
  const stopListening = store.onLoss(() => leases.clear());

  return {
    take: (ask) => {
      const key = keyOf(ask);
      const lease = leases.get(key);
      if (lease !== undefined) lease.usedAtMs = now();
      else if ((resting.get(key) ?? 0) <= now()) {
        resting.set(key, now() + REST_MS);
        takeNow(key, ask).catch(() => undefined); // counters are away: no lease then
      }
    },
    spend: (ask, amountPico) => {
      const lease = leases.get(keyOf(ask));
      if (lease === undefined || now() >= lease.usableUntilMs || lease.leftPico < amountPico) return false;
      lease.leftPico -= amountPico;
      lease.spentAtMs = now();
      return true;
    },
    release: async (ask) => {
      const key = keyOf(ask);
      resting.set(key, now() + REST_MS);
      const lease = leases.get(key);
      if (lease === undefined || lease.leftPico < lease.amountPico) return false;
      leases.delete(key);
      await giveBack(lease);
      return true;
    },
    close: async () => {
      timers.clearInterval(timer);
      stopListening();
      const unspent = [...leases.values()].filter(({ leftPico, amountPico }) => leftPico === amountPico);
      leases.clear();
      await Promise.all(unspent.map((lease) => giveBack(lease).catch(() => undefined)));
    },
  };
}

/** Null when the limits do not leave enough for it. */
async function reserveLease(store: LeaseBookParts['store'], { organizationId, limits }: LeaseAsk, nowMs: number): Promise<Lease | null> {
  const amountPico = limits.reduce((least, { max }) => (max === null ? least : smaller(least, max / LIMIT_PARTS)), LEASE_MAX);
  if (amountPico <= 0n) return null;
  const amounts = limits.map(() => amountPico);
  const lease: Lease = {
    organizationId,
    holdId: `lease:${randomUUID()}`,
    scopes: limits.map(({ scope }) => scope),
    amounts,
    amountPico,
    leftPico: amountPico,
    usableUntilMs: nowMs + USABLE_MS,
    usedAtMs: nowMs,
    spentAtMs: -Infinity,
  };
  const answer = await store.reserve({ ...lease, leasts: amounts, ttlMs: TTL_MS, limits });
  return answer.kind === 'held' ? lease : null;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
