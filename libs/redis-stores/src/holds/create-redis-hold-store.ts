import {
  scopeExpiry,
  type HoldKey,
  type HoldStore,
  type ReserveAnswer,
  type ReserveRequest,
  type ScopeBase,
  type ScopeState,
  type SettledHold,
} from '@weir/limits';
import type { Redis } from 'ioredis';
import type { RedisLog } from '../client/create-redis';
import { createScript, type PreparedScript } from '../client/create-script';
import { watchGeneration, WRITERS_KEY, type HoldGeneration } from './hold-generation';
import { CONFIRM, RENEW, REPORT_WRITER, RESERVE, SEED, SETTLE } from './hold-scripts';

export type RedisHoldStore = HoldStore & {
  /** Resolves when counters can be trusted, or the server could not be reached in time. */
  whenTrusted(timeoutMs: number): Promise<void>;
  /** Stops watching; the connection stays its owner's. */
  close(): void;
};

const SCOPES_KEY = 'weir:holds:scopes';
const PICO_PER_NANO = 1000n;
/** A writer that was silent for so long does not come back; what only it could know is given back. */
const SILENT_MS_MAX = 24 * 3_600_000;
/** Few enough that a script is never long at work. */
const CONFIRMED_AT_ONCE = 500;

/** Holds in Redis, shared by all processes. Losing it loses no money: see `watchGeneration`. */
export function createRedisHoldStore(redis: Redis, log: RedisLog): RedisHoldStore {
  const generation = watchGeneration(redis, log);
  const { run: runRenew } = createScript(redis, RENEW);
  const settling = createScript(redis, SETTLE);
  const { run: runConfirm } = createScript(redis, CONFIRM);
  const { run: runReport } = createScript(redis, REPORT_WRITER);
  const settle = async (hold: SettledHold, isEntered: 0 | 1): Promise<void> => {
    let reported = `${hold.holdId} ${isEntered}`;
    for (const spent of hold.spentPico) reported += ` ${ceilNano(spent)}`;
    await settling.prepare(keysOf(hold))(reported);
  };
  const report = async (writerId: string, how: 'NX' | 'CH'): Promise<void> => {
    const silent = (await runReport([WRITERS_KEY], [writerId, how, SILENT_MS_MAX])) as number;
    if (silent > 0) log.warn({ silent }, 'writers of usage journals were silent for a day; holds only they could know are given back');
  };
  return {
    reserve: createReserve(redis, generation),
    seed: createSeed(redis, generation),
    renew: async (hold, ttlMs) => {
      await runRenew(keysOf(hold), [hold.holdId, ceilNano(hold.amountPico), ttlMs]);
    },
    settle: (hold) => settle(hold, 0),
    register: (hold) => settle(hold, 1),
    confirm: async (organizationId, confirmed) => {
      await Promise.all(
        confirmed.flatMap(({ scope, basePico, version, holdIds }) => {
          const keys = keysOf({ organizationId, scopes: [scope] });
          const head = [ceilNano(basePico), version.toString(), scopeExpiry(scope) ?? 0];
          return chunk(holdIds).map((ids) => runConfirm(keys, [...head, ...ids]));
        }),
      );
    },
    readTaken: async (organizationId, scopes) => {
      const id = generation.require();
      const heads = await Promise.all(
        scopes.map((scope) => redis.hmget(hashOf(organizationId, scope), 'generation', 'base', 'settled', 'open')),
      );
      const taken = new Map<string, bigint>();
      for (const [index, [seededIn, ...amounts]] of heads.entries()) {
        if (seededIn === id)
          taken.set(
            scopes[index] as string,
            amounts.reduce((sum, nano) => sum + toPico(nano), 0n),
          );
      }
      return taken;
    },
    readScope: (organizationId, scope) => readScope(redis, hashOf(organizationId, scope)),
    listScopes: () => listScopes(redis),
    enrolWriter: (writerId) => report(writerId, 'NX'),
    reportWriter: (writerId) => report(writerId, 'CH'),
    retireWriter: async (writerId) => {
      await redis.zrem(WRITERS_KEY, writerId);
    },
    onLoss: generation.onLoss,
    whenTrusted: generation.whenTrusted,
    close: generation.close,
  };
}

/** What a reservation says of its limits, with the script that has their keys. */
type Reservation = { readonly organizationId: string; readonly run: PreparedScript; readonly limits: string };

function createReserve(redis: Redis, generation: HoldGeneration): HoldStore['reserve'] {
  const script = createScript(redis, RESERVE);
  const known = new WeakMap<ReserveRequest['limits'], Reservation>();
  const prepare = ({ organizationId, limits }: ReserveRequest): Reservation => {
    const keys = keysOf({ organizationId, scopes: limits.map(({ scope }) => scope) });
    const reported = limits.map(({ scope, limitPico }) => `${limitPico / PICO_PER_NANO} ${scopeExpiry(scope) ?? 0}`).join(' ');
    const reservation = { organizationId, run: script.prepare(keys, { isTimed: true }), limits: reported };
    known.set(limits, reservation);
    return reservation;
  };
  return async (request) => {
    const id = generation.require();
    const { organizationId, limits, holdId, amountPico, leastPico } = request;
    let reservation = known.get(limits);
    if (reservation?.organizationId !== organizationId) reservation = prepare(request);
    const amount = ceilNano(amountPico);
    const least = leastPico === amountPico ? amount : ceilNano(leastPico);
    const reported = `${holdId} ${amount} ${least} ${request.ttlMs} ${generation.reportedMs()} ${id} ${reservation.limits}`;
    const reply = (await reservation.run(reported)) as 1 | Reply;
    if (reply === 1) return { kind: 'held', amountPico };
    const answer = readAnswer(request, reply);
    // Either no one has asked for these scopes yet, or they are gone: that has to be known before they are seeded.
    if (answer.kind === 'unseeded') {
      await generation.learn();
      generation.require();
    }
    return answer;
  };
}

type Reply = readonly [number, ...(string | number)[]];

function readAnswer(request: ReserveRequest, [kind, ...rest]: Reply): ReserveAnswer {
  const scopeAt = (place: unknown): string => request.limits[Number(place) - 1]?.scope ?? '';
  if (kind === -1) return { kind: 'unseeded', scopes: rest.map(scopeAt) };
  if (kind === 0) return { kind: 'refused', scope: scopeAt(rest[0]), remainingPico: toPico(rest[1]) };
  const amountPico = toPico(rest[0]);
  return { kind: 'held', amountPico: amountPico < request.amountPico ? amountPico : request.amountPico };
}

function createSeed(redis: Redis, generation: HoldGeneration): HoldStore['seed'] {
  const { run } = createScript(redis, SEED);
  return async (organizationId, bases) => {
    const id = generation.require();
    const seedOne = ({ scope, basePico, version }: ScopeBase): Promise<unknown> =>
      run([hashOf(organizationId, scope)], [ceilNano(basePico), version.toString(), scopeExpiry(scope) ?? 0, id]);
    await Promise.all([...bases.map(seedOne), redis.sadd(SCOPES_KEY, ...bases.map(({ scope }) => `${organizationId} ${scope}`))]);
  };
}

async function readScope(redis: Redis, hash: string): Promise<ScopeState> {
  const [fields, expired] = await Promise.all([
    redis.hgetall(hash),
    redis.time().then(([seconds]) => findExpired(redis, hash, Number(seconds))),
  ]);
  const entries = (prefix: string) =>
    Object.entries(fields)
      .filter(([field]) => field.startsWith(prefix))
      .map(([field, nano]) => ({ holdId: field.slice(prefix.length), amountPico: toPico(nano) }));
  return {
    isSeeded: fields['generation'] !== undefined,
    basePico: toPico(fields['base']),
    version: BigInt(fields['version'] ?? 0),
    settledPico: toPico(fields['settled']),
    openPico: toPico(fields['open']),
    settled: entries('s:'),
    open: entries('o:').map((entry) => ({ ...entry, isExpired: expired.has(entry.holdId) })),
  };
}

async function findExpired(redis: Redis, hash: string, nowSeconds: number): Promise<Set<string>> {
  return new Set(await redis.zrangebyscore(`${hash}:expiry`, '-inf', nowSeconds * 1000));
}

async function listScopes(redis: Redis): Promise<{ organizationId: string; scope: string }[]> {
  const members = await redis.smembers(SCOPES_KEY);
  const isOver = (member: string): boolean => (scopeExpiry(member.slice(member.indexOf(' ') + 1)) ?? Infinity) < Date.now();
  const over = members.filter(isOver);
  if (over.length > 0) await redis.srem(SCOPES_KEY, ...over);
  return members
    .filter((member) => !isOver(member))
    .map((member) => ({ organizationId: member.slice(0, member.indexOf(' ')), scope: member.slice(member.indexOf(' ') + 1) }));
}

function hashOf(organizationId: string, scope: string): string {
  return `weir:{${organizationId}}:hold:${scope}`;
}

function keysOf({ organizationId, scopes }: Pick<HoldKey, 'organizationId' | 'scopes'>): string[] {
  const keys: string[] = [];
  for (const scope of scopes) {
    const hash = hashOf(organizationId, scope);
    keys.push(hash, `${hash}:expiry`);
  }
  return keys;
}

/** Upwards, so that what is taken is never reported too small. */
function ceilNano(pico: bigint): string {
  return ((pico + PICO_PER_NANO - 1n) / PICO_PER_NANO).toString();
}

function toPico(nano: unknown): bigint {
  return typeof nano === 'string' || typeof nano === 'number' ? BigInt(nano) * PICO_PER_NANO : 0n;
}

function chunk(ids: readonly string[]): string[][] {
  const chunks: string[][] = [];
  for (let from = 0; from === 0 || from < ids.length; from += CONFIRMED_AT_ONCE) chunks.push(ids.slice(from, from + CONFIRMED_AT_ONCE));
  return chunks;
}
