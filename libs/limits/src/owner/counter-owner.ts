import { GatewayError } from '@weir/errors';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CounterOwnerStore, OwnerAhead, OwnerAnswer, OwnerClaim, OwnerHolder } from './counter-owner-store';

/** Any structured logger fits. */
type OwnerLog = Record<'info' | 'warn' | 'error', (fields: Readonly<Record<string, unknown>>, message: string) => void>;

type CounterOwnerOptions = {
  readonly store: CounterOwnerStore;
  readonly holder: OwnerHolder;
  readonly ttlMs: number;
  /** Whether an owner that was silent for so long has certainly ended. */
  readonly isGone: (holder: OwnerHolder, silentMs: number) => boolean;
  readonly log: OwnerLog;
  /** Both in milliseconds: one stands still while the machine sleeps, the other one may be set. */
  readonly clocks?: readonly (() => number)[];
};

/** All that share a Redis are one owner, and none of them is the last. */
type SharedCountersOptions = Pick<CounterOwnerOptions, 'store' | 'holder' | 'isGone' | 'log'>;

export type CounterOwner = {
  /** Resolves with the reason when another process owns the counters: what this one has counted is worth nothing any more. */
  readonly lost: Promise<string>;
  /** Takes the counters, once; returns who has them where they are taken. */
  take(): Promise<OwnerAhead | undefined>;
  /** Throws `dependency_down` where another process may own the counters by now. */
  check(): void;
  /** The same in words, null where nothing is wrong. */
  describe(): string | null;
  /** Gives the counters free, so that the next process need not wait. */
  release(): Promise<void>;
};

const RENEW_MAX_MS = 5_000;
const RENEWALS_IN_TTL = 6;
/** By the owner's own clocks its time ends so much earlier, whatever those, the database's and a stand-in's of that differ by. */
const CERTAIN = 0.9;
const RETRY_AFTER_SECONDS = 2;
const TRY_EVERY_MS = 250;
const RELEASE_WITHIN_MS = 3_000;

/** Owns the counters of limits that are in the memory of this process, or of those that it has started. */
export function createCounterOwner(options: CounterOwnerOptions): CounterOwner {
  return new Owner(options);
}

class Owner implements CounterOwner {
  readonly lost: Promise<string>;
  private lose: (reason: string) => void = () => undefined;
  private readonly claim: OwnerClaim;
  private readonly clocks: readonly (() => number)[];
  private epoch = 0;
  /** By each of the clocks. */
  private certainUntil: readonly number[] = [];
  private isLost = false;
  private isLapseLogged = false;
  private timer: NodeJS.Timeout | undefined;
  private renewing: Promise<void> | undefined;

  constructor(private readonly options: CounterOwnerOptions) {
    const { holder, ttlMs } = options;
    this.claim = { ownerId: randomUUID(), holder, ttlMs };
    this.clocks = options.clocks ?? [() => performance.now(), Date.now];
    this.lost = new Promise((resolve) => (this.lose = resolve));
  }

  async take(): Promise<OwnerAhead | undefined> {
    if (this.timer !== undefined) return undefined;
    const { store, isGone, ttlMs } = this.options;
    const askedAt = this.readClocks();
    const answer = await takeFrom(store, this.claim, isGone);
    if ('ahead' in answer) return answer.ahead;
    this.epoch = answer.epoch;
    this.extend(askedAt);
    this.timer = setInterval(() => void this.renew(), Math.min(RENEW_MAX_MS, ttlMs / RENEWALS_IN_TTL)).unref();
    return undefined;
  }

  check(): void {
    const problem = this.describe();
    if (problem === null) return;
    void this.renew();
    throw refuseUncounted(problem);
  }

  describe(): string | null {
    if (this.isLost) return 'Another gateway counts limits in place of this one, which ends.';
    return this.isCertain() ? null : 'The database was out of reach for so long that another gateway may count limits by now.';
  }

  async release(): Promise<void> {
    if (this.timer === undefined) return;
    clearInterval(this.timer);
    // A database that is away keeps no process from ending.
    await Promise.race([this.giveFree(), pause(RELEASE_WITHIN_MS, undefined, { ref: false })]);
  }

  private async giveFree(): Promise<void> {
    await this.renewing;
    if (this.isLost) return;
    this.isLost = true;
    await this.options.store.release(this.claim.ownerId).catch((error: unknown) => {
      this.options.log.warn({ error }, 'the counters of limits could not be given free: the next gateway may have to wait for them');
    });
  }

  private isCertain(): boolean {
    for (let index = 0; index < this.clocks.length; index += 1) {
      if ((this.clocks[index] as () => number)() >= (this.certainUntil[index] ?? -Infinity)) return false;
    }
    return true;
  }

  private readClocks(): readonly number[] {
    return this.clocks.map((read) => read());
  }

  /** `askedAt`: before the database was asked, whose time began later. */
  private extend(askedAt: readonly number[]): void {
    this.certainUntil = askedAt.map((at) => at + this.claim.ttlMs * CERTAIN);
  }

  private renew(): Promise<void> {
    return (this.renewing ??= this.renewOnce().finally(() => (this.renewing = undefined)));
  }

  private async renewOnce(): Promise<void> {
    const { store, log } = this.options;
    if (this.isLost || this.timer === undefined) return;
    const askedAt = this.readClocks();
    let error: unknown;
    const isOurs = await store.renew(this.claim, this.epoch).catch((thrown: unknown) => void (error = thrown));
    if (isOurs === true) {
      this.extend(askedAt);
      if (this.isLapseLogged) log.info({ epoch: this.epoch }, 'the counters of limits are still ours: requests are admitted again');
      this.isLapseLogged = false;
    } else if (isOurs === false) {
      this.isLost = true;
      clearInterval(this.timer);
      const reason = 'another gateway has taken over the counters of limits of this database';
      log.error({ epoch: this.epoch }, `${reason}: this one admits no more requests, and ends when those that run have ended`);
      this.lose(reason);
    } else if (!this.isLapseLogged && !this.isCertain()) {
      this.isLapseLogged = true;
      log.error({ error }, 'the database was away for so long that another gateway may count limits by now: requests are refused');
    }
  }
}

/** One that has certainly ended is not waited for. */
async function takeFrom(store: CounterOwnerStore, claim: OwnerClaim, isGone: CounterOwnerOptions['isGone']): Promise<OwnerAnswer> {
  const answer = await store.take(claim);
  if (!('ahead' in answer) || !isGone(answer.ahead.holder, answer.ahead.silentMs)) return answer;
  return store.take(claim, answer.ahead.epoch);
}

/** `problem`: as the owner describes it. */
export function refuseUncounted(problem: string): GatewayError {
  return new GatewayError('dependency_down', `${problem} Try again shortly.`, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

type Waiting = {
  readonly take: () => Promise<OwnerAhead | undefined>;
  readonly waitMs: number;
  readonly log: OwnerLog;
};

/** Waits until the counters are free; rejects with a sentence that says what to do where they stay taken. */
export async function waitForCounters({ take, waitMs, log }: Waiting): Promise<void> {
  const until = performance.now() + waitMs;
  for (let isReported = false; ;) {
    const ahead = await take();
    if (ahead === undefined) return;
    const left = until - performance.now();
    if (left <= 0) throw new Error(refuseSecond(ahead));
    if (!isReported) {
      const { holder, silentMs } = ahead;
      log.warn({ holder, silentMs, waitMs }, `${describeAhead(ahead)}; waiting ${Math.ceil(left / 1000)} s for it to end`);
    }
    isReported = true;
    await pause(Math.min(TRY_EVERY_MS, left));
  }
}

/** So long after the last of them has ended, or was cut off, a gateway may count in its memory. */
const SHARED_TTL_MS = 20_000;
const SHARED_OWNER_ID = '00000000-0000-4000-8000-000000000001';

/** Says of a process that it counts in Redis, so that no other one counts in its memory. Returns how to end that. */
export async function shareCounters({ store, holder, isGone, log }: SharedCountersOptions, waitMs: number): Promise<() => Promise<void>> {
  const claim = { ownerId: SHARED_OWNER_ID, holder: { ...holder, counters: 'redis' }, ttlMs: SHARED_TTL_MS };
  const take = async (): Promise<OwnerAhead | undefined> => {
    const answer = await takeFrom(store, claim, isGone);
    return 'ahead' in answer ? answer.ahead : undefined;
  };
  // What keeps it from being said, such as a login that may not write there, keeps no service from starting.
  const tryTake = (): Promise<OwnerAhead | undefined> =>
    take().catch(
      (error: unknown) => void log.warn({ error }, 'the database could not be informed that limits are counted in Redis; trying again'),
    );
  await waitForCounters({ take: tryTake, waitMs, log });
  let isReported = false;
  let asking: Promise<void> = Promise.resolve();
  const ask = async (): Promise<void> => {
    // Away: it is said again as soon as the database is back.
    const ahead = await take().catch(() => undefined);
    if (ahead !== undefined && !isReported) log.error({ holder: ahead.holder }, refuseSecond(ahead));
    isReported = ahead !== undefined;
  };
  const timer = setInterval(() => void (asking = ask()), RENEW_MAX_MS).unref();
  return async () => {
    clearInterval(timer);
    await asking;
  };
}

function describeAhead({ holder }: OwnerAhead): string {
  const who = `process ${holder['pid'] ?? '?'} on host ${holder['host'] ?? '?'}, since ${holder['since'] ?? '?'}`;
  return holder['counters'] === 'redis'
    ? `processes with REDIS_URL count the limits of this database (the last that said so: ${who})`
    : `another gateway (${who}) counts the limits of this database in its memory`;
}

function refuseSecond(ahead: OwnerAhead): string {
  const freeAt = new Date(Date.now() + Math.max(0, ahead.leftMs)).toISOString();
  return (
    `${describeAhead(ahead)}: a second place to count them would let each limit be spent twice. ` +
    `Set the same REDIS_URL for all processes on this database, or stop the other one first. ` +
    `Should it be gone without having ended in order, start again at ${freeAt}, or run "weir counters release" before.`
  );
}
