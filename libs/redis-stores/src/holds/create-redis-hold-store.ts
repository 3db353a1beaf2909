import { type HoldStore, type ScopeBase, type ScopeState, type SettledHold } from '@weir/limits';
import { isCluster, type Redis, type RedisLog } from '../client/create-redis';
import { createScript, type PreparedScript } from '../client/create-script';
import { COMMON_WRITERS } from './cluster/cluster-scripts';
import { createClusterScopeList } from './cluster/cluster-scope-list';
import { watchGeneration, WRITERS_KEY } from './hold-generation';
import { CONFIRM, RENEW, REPORT_WRITER, SEED, SETTLE } from './hold-scripts';
import { createReserve } from './reserve-in-redis';
import { factsOf, fromStored, hashOf, isOver, keysOf, startOf, toStored } from './scopes/scope-facts';
import { createScopeList, type ScopeList } from './scopes/scope-list';
import type { HoldGeneration } from './scopes/trusted-counters';

export type RedisHoldStore = HoldStore & {
  /** Resolves when counters can be trusted, or the server could not be reached in time. */
  whenTrusted(timeoutMs: number): Promise<void>;
  /** Stops watching; the connection stays its owner's. */
  close(): void;
};

export type RedisHoldOptions = {
  /** Decides which scopes are over. UTC epoch milliseconds. */
  readonly now?: () => number;
  /** Of a cluster: after the list of writers was lost, those that are there have enrolled again by then. */
  readonly writersBackMs?: number;
};

/** A writer that was silent for so long does not come back; what only it could know is given back. */
const SILENT_MS_MAX = 24 * 3_600_000;
/** Few enough that a script is never long at work. */
const CONFIRMED_AT_ONCE = 500;

/** Holds in Redis, shared by all processes. Losing it loses no money: see `watchGeneration`. */
export function createRedisHoldStore(redis: Redis, log: RedisLog, options: RedisHoldOptions = {}): RedisHoldStore {
  const { now = Date.now, writersBackMs } = options;
  const generation = watchGeneration(redis, log, writersBackMs);
  const scopeList = isCluster(redis) ? createClusterScopeList(redis) : createScopeList(redis);
  const writers = isCluster(redis) ? COMMON_WRITERS : WRITERS_KEY;
  const { run: runRenew } = createScript(redis, RENEW);
  const { run: runConfirm } = createScript(redis, CONFIRM);
  const { run: runReport } = createScript(redis, REPORT_WRITER);
  const settle = createSettle({ redis, generation, scopeList, now });
  const report = async (writerId: string, asOfMs?: number): Promise<number> => {
    const [nowMs, silent] = (await runReport([writers], [writerId, SILENT_MS_MAX, asOfMs ?? ''])) as [number, number];
    if (silent > 0) log.warn({ silent }, 'writers of usage journals were silent for a day; holds only they could know are given back');
    return nowMs;
  };
  return {
    reserve: createReserve(redis, generation),
    seed: createSeed({ redis, generation, scopeList, now }),
    renew: async (hold, ttlMs) => {
      const places = lastingPlaces(hold.scopes, now());
      if (places.length === 0) return;
      generation.noteHeld(hold.organizationId);
      const scopes = places.map((place) => hold.scopes[place] as string);
      const words = scopes.flatMap((scope, at) => [
        toStored(scope, hold.amounts[places[at] as number] ?? 0n),
        factsOf(scope).life,
        startOf(scope),
      ]);
      await runRenew(keysOf(hold.organizationId, scopes), [hold.holdId, ttlMs, ...words]);
    },
    settle: (hold) => settle(hold, 0),
    register: (hold) => settle(hold, 1),
    confirm: async (organizationId, confirmed) => {
      const lasting = confirmed.filter(({ scope }) => !isOver(scope, now()));
      await Promise.all(
        lasting.flatMap(({ scope, base, version, holdIds }) => {
          const keys = keysOf(organizationId, [scope]);
          const head = [toStored(scope, base), version.toString(), factsOf(scope).life, startOf(scope)];
          return chunk(holdIds).map((ids) => runConfirm(keys, [...head, ...ids]));
        }),
      );
    },
    readTaken: async (organizationId, scopes) => {
      const { id } = await generation.require(organizationId);
      const heads = await Promise.all(
        scopes.map((scope) => redis.hmget(hashOf(organizationId, scope), 'generation', 'base', 'settled', 'open')),
      );
      const taken = new Map<string, bigint>();
      for (const [index, [seededIn, ...amounts]] of heads.entries()) {
        const scope = scopes[index] as string;
        if (seededIn !== id) continue;
        taken.set(
          scope,
          amounts.reduce((sum, stored) => sum + fromStored(scope, stored), 0n),
        );
      }
      return taken;
    },
    readScope: (organizationId, scope) => readScope(redis, organizationId, scope),
    listScopes: () => scopeList.list(now()),
    enrolWriter: (writerId) => report(writerId),
    reportWriter: (writerId, asOfMs) => report(writerId, asOfMs).then(() => undefined),
    retireWriter: async (writerId) => {
      await redis.zrem(writers, writerId);
    },
    onLoss: generation.onLoss,
    whenTrusted: generation.whenTrusted,
    close: generation.close,
  };
}

/** Places of scopes whose window is not over: of others nothing matters any more, and their keys would never end. */
function lastingPlaces(scopes: readonly string[], nowMs: number): number[] {
  const places: number[] = [];
  for (let place = 0; place < scopes.length; place += 1) if (!isOver(scopes[place] as string, nowMs)) places.push(place);
  return places;
}

type ScopeParts = { readonly redis: Redis; readonly generation: HoldGeneration; readonly scopeList: ScopeList; readonly now: () => number };

/** `isEntered`: what is not known is entered as settled. */
function createSettle({ redis, generation, scopeList, now }: ScopeParts): (hold: SettledHold, isEntered: 0 | 1) => Promise<void> {
  const settle = prepareEach(createScript(redis, SETTLE));
  return async ({ organizationId, holdId, scopes, spent }, isEntered) => {
    const places = lastingPlaces(scopes, now());
    if (places.length === 0) return;
    generation.noteHeld(organizationId);
    let reported = `${holdId} ${isEntered}`;
    for (const place of places) {
      const scope = scopes[place] as string;
      reported += ` ${toStored(scope, spent[place] ?? 0n)} ${factsOf(scope).life} ${startOf(scope)}`;
    }
    const lasting = places.length === scopes.length ? scopes : places.map((place) => scopes[place] as string);
    const settled = settle(organizationId, lasting)(reported);
    // It may be confirmed already: a scope that no request seeds is found there, so that what is counted twice goes out of it.
    await (isEntered === 1 ? Promise.all([settled, scopeList.enlist(organizationId, lasting, now())]) : settled);
  };
}

/** Requests of a key settle in the same scopes again and again, as long as their windows last. */
const PREPARED_MAX = 10_000;

function prepareEach(script: ReturnType<typeof createScript>): (organizationId: string, scopes: readonly string[]) => PreparedScript {
  const known = new Map<string, PreparedScript>();
  return (organizationId, scopes) => {
    const name = `${organizationId} ${scopes.join(' ')}`;
    let prepared = known.get(name);
    if (prepared === undefined) {
      if (known.size >= PREPARED_MAX) known.clear();
      known.set(name, (prepared = script.prepare(keysOf(organizationId, scopes))));
    }
    return prepared;
  };
}

function createSeed({ redis, generation, scopeList, now }: ScopeParts): HoldStore['seed'] {
  const { run } = createScript(redis, SEED);
  return async (organizationId, bases, asked) => {
    const { id } = await generation.require(organizationId);
    if (asked !== undefined && asked !== id) return;
    const seedOne = ({ scope, base, version }: ScopeBase): Promise<unknown> =>
      run(keysOf(organizationId, [scope]), [toStored(scope, base), version.toString(), factsOf(scope).life, startOf(scope), id]);
    const scopes = bases.map(({ scope }) => scope);
    await Promise.all([...bases.map(seedOne), scopeList.enlist(organizationId, scopes, now())]);
  };
}

/** KEYS: open holds by their expiry on the server's clock. */
const READ_EXPIRED = `
local time = redis.call('TIME')
return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000)))`;

async function readScope(redis: Redis, organizationId: string, scope: string): Promise<ScopeState> {
  const hash = hashOf(organizationId, scope);
  const read = (stored: unknown): bigint => fromStored(scope, stored);
  const [fields, ids] = await Promise.all([redis.hgetall(hash), redis.eval(READ_EXPIRED, 1, `${hash}:expiry`) as Promise<string[]>]);
  const expired = new Set(ids);
  const entries = (prefix: string) =>
    Object.entries(fields)
      .filter(([field]) => field.startsWith(prefix))
      .map(([field, stored]) => ({ holdId: field.slice(prefix.length), amount: read(stored) }));
  return {
    isSeeded: fields['generation'] !== undefined,
    base: read(fields['base']),
    version: BigInt(fields['version'] ?? 0),
    settledSum: read(fields['settled']),
    openSum: read(fields['open']),
    settled: entries('s:'),
    open: entries('o:').map((entry) => ({ ...entry, isExpired: expired.has(entry.holdId) })),
  };
}

function chunk(ids: readonly string[]): string[][] {
  const chunks: string[][] = [];
  for (let from = 0; from === 0 || from < ids.length; from += CONFIRMED_AT_ONCE) chunks.push(ids.slice(from, from + CONFIRMED_AT_ONCE));
  return chunks;
}
