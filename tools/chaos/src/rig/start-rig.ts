import { join } from 'node:path';
import { createDatabase, type Database } from '@weir/database';
import { startDistributed, type DistributedHarness, type ServiceName } from '@weir/gateway-e2e';
import { makeTestFolder, startCuttingProxy, waitUntil, type CuttingProxy } from '@weir/testing';
import { checkHolds } from '../check/check-holds';
import { checkInvariants, type Verdict } from '../check/check-invariants';
import { startLoad, type Load } from '../load/start-load';
import type { ClientRequest } from '../load/client-request';
import type { ClientResult } from '../load/send-request';
import { startBreakableParts, type BreakableParts } from '../parts/start-breakable-parts';
import { startSimProvider, type SimProvider } from '../provider/start-sim-provider';
import { readMetrics } from './read-metrics';
import { limitEverything } from './set-limits';

type RigOptions = {
  /** Settings of all services, and of single ones. */
  readonly env?: Readonly<Record<string, string>>;
  readonly overrides?: Partial<Record<ServiceName, Record<string, string>>>;
};

type LoadOptions = {
  /** Of another key than the administrator's. */
  readonly apiKey?: string;
  readonly plan?: (seed: number) => ClientRequest;
};

/** A whole distributed gateway with everything it depends on, all of it breakable, and what is known of its truth. */
export type Rig = {
  readonly parts: BreakableParts;
  readonly provider: SimProvider;
  /** Between the worker and its providers. */
  readonly providerProxy: CuttingProxy;
  readonly harness: DistributedHarness;
  readonly pool: Database['pool'];
  /** Starts load; its results count as evidence. Seeds never repeat over a rig's life. */
  load(perSecond: number, of?: LoadOptions): Load;
  /** Adds the results of requests sent otherwise. */
  note(results: readonly ClientResult[]): void;
  nextSeed(count?: number): number;
  metrics(service: ServiceName): Promise<ReadonlyMap<string, number>>;
  /** Waits until every journal is wholly aggregated. */
  quiesce(timeoutMs?: number): Promise<void>;
  /** Comes to rest and checks everything that ever happened. `deadLetters`: how many were made on purpose since the last time. */
  verify(options?: { deadLetters?: number; quiesceMs?: number }): Promise<Verdict>;
  /** I6, once everything is at rest: what is wrong with the money that is held. */
  checkHolds(): Promise<readonly string[]>;
  stop(): Promise<void>;
};

const QUIESCE_MS = 60_000;
/** Small files rotate and are trimmed often; short patience heals what a broker lost while a test can wait for it. */
const WORKER = { JOURNAL_SEGMENT_BYTES: '32768', JOURNAL_RESEND_AFTER_MS: '3000', UPSTREAM_IDLE_TIMEOUT_MS: '10000' };
/** Holds of the killed expire while a test can wait for it. */
const HOLDS = { HOLD_TTL_MS: '12000' };
/** A stack of killed holds may need some rounds of expiring and comparing. */
const HOLDS_PATIENCE_MS = 150_000;
/** The dead are missed soon, and counters compared often, so that a test need not wait for either. */
const AGGREGATOR = { KAFKA_SESSION_TIMEOUT_MS: '2500', HOLD_CHECK_MS: '3000' };
const ALLOWED = { FAILPOINTS_ALLOWED: 'true' };

/** T1: no two processes share a time zone, and none is in UTC. */
export async function startRig({ env = {}, overrides = {} }: RigOptions = {}): Promise<Rig> {
  const directory = makeTestFolder('chaos');
  const [parts, provider] = await Promise.all([
    startBreakableParts(join(directory, 'parts')),
    startSimProvider(join(directory, 'oracle.jsonl')),
  ]);
  const providerProxy = await startCuttingProxy(provider.port);
  const harness = await startDistributed(
    parts.addresses,
    { ...describeProviders(providerProxy.port), ...HOLDS, ...env },
    {
      ...overrides,
      'edge-router': { TZ: 'America/New_York', ...overrides['edge-router'] },
      'chat-translator': { TZ: 'Asia/Kolkata', ...WORKER, ...ALLOWED, ...overrides['chat-translator'] },
      'usage-aggregator': { TZ: 'Pacific/Auckland', ...AGGREGATOR, ...ALLOWED, ...overrides['usage-aggregator'] },
    },
  );
  const database = createDatabase({ url: parts.databaseUrl, poolMax: 4 });
  await limitEverything(harness);
  return joinRig({ parts, provider, providerProxy, harness, database });
}

/** Which accounts stop billing when their caller leaves is the simulated provider's to know, by the path. */
export function describeProviders(port: number): Record<string, string> {
  const url = `http://127.0.0.1:${port}`;
  return {
    OPENAI_API_KEY: 'sim',
    OPENAI_BASE_URL: `${url}/abort/v1`,
    ANTHROPIC_API_KEY: 'sim',
    ANTHROPIC_BASE_URL: `${url}/abort`,
    GROQ_API_KEY: 'sim',
    GROQ_BASE_URL: `${url}/drain/v1`,
  };
}

type Standing = Pick<Rig, 'parts' | 'provider' | 'providerProxy' | 'harness'> & {
  readonly database: Database;
};

function joinRig({ database, ...standing }: Standing): Rig {
  const { harness, provider, parts, providerProxy } = standing;
  const results: ClientResult[] = [];
  const loads: Load[] = [];
  let seed = 1;
  let expectedLetters = 0;
  const nextSeed = (count = 1): number => (seed += count) - count;
  const metrics = (service: ServiceName): Promise<ReadonlyMap<string, number>> => readMetrics(harness.metricsAddressOf(service));
  const quiesce = async (timeoutMs = QUIESCE_MS): Promise<void> => {
    let unrest = '';
    const isAtRest = async (): Promise<boolean> => {
      unrest = await metrics('chat-translator').then(describeUnrest, String);
      return unrest === '';
    };
    await waitUntil('every journal is wholly aggregated', isAtRest, timeoutMs).catch((cause: unknown) => {
      throw new Error(`${cause instanceof Error ? cause.message : String(cause)}: ${unrest}`, { cause });
    });
  };
  return {
    ...standing,
    pool: database.pool,
    load: (perSecond, { apiKey = harness.apiKey, ...plan } = {}) => {
      const load = startLoad({ url: harness.url, apiKey }, { perSecond, firstSeed: nextSeed(LOAD_SEEDS), ...plan });
      loads.push(load);
      return load;
    },
    note: (more) => more.forEach((result) => results.push(result)),
    nextSeed,
    metrics,
    quiesce,
    verify: async ({ deadLetters = 0, quiesceMs } = {}) => {
      // One by one: a long run has more results than a call may have arguments.
      for (const load of loads.splice(0)) for (const result of await load.stop()) results.push(result);
      await waitUntil('the provider has seen every caller end', () => provider.running() === 0, QUIESCE_MS);
      await quiesce(quiesceMs);
      expectedLetters += deadLetters;
      return checkInvariants({ pool: database.pool, results, oracle: provider.oracle, deadLetters: expectedLetters });
    },
    checkHolds: () => checkHolds({ redisUrl: parts.addresses.redisUrl, pool: database.pool, patienceMs: HOLDS_PATIENCE_MS }),
    stop: async () => {
      for (const load of loads) await load.stop();
      await harness.stop();
      await database.close();
      await providerProxy.stop();
      await provider.stop();
      await parts.stop();
    },
  };
}

/** More than any load sends. */
const LOAD_SEEDS = 1_000_000;

/** What a journal still waits for; empty when nothing. */
function describeUnrest(metrics: ReadonlyMap<string, number>): string {
  return ['weir_journal_unaggregated_events', 'weir_journal_open_attempts', 'weir_journal_orphans']
    .filter((name) => metrics.get(name) !== 0)
    .map((name) => `${name} ${metrics.get(name) ?? 'not reported'}`)
    .join(', ');
}
