import { randomBytes, randomUUID } from 'node:crypto';
import type { UsageEvent } from '@weir/contracts';
import { createDatabase, createUsageFeed, createUsageReference, createUsageStore, rerateUsage, type Database } from '@weir/database';
import { getClickHouse, getPostgres, sequenceEvents, type RealClickHouse, type RealPostgres } from '@weir/testing';
import type { UsageStore } from '@weir/usage';
import { createClickHouse, type ClickHouse } from '../connection/create-clickhouse';
import { createUsageFeeder, type FeedMetrics, type UsageFeeder } from '../feed/create-usage-feeder';
import { preferColumnar, type ReadOutcome } from '../prefer-columnar';
import { createColumnarReader } from '../queries/create-columnar-reader';

/** Usage of the specs is of 2026; parts that are older than this are dropped. */
const RETENTION_DAYS = 3650;

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

export type Bench = {
  readonly engine: RealClickHouse;
  open(options?: BenchOptions): Promise<Stores>;
  stop(): Promise<void>;
};

type BenchOptions = { readonly nowMs?: number; readonly eventsAtOnce?: number };

/** A Postgres and a ClickHouse of their own with one organization, and what stands between them. */
export type Stores = {
  readonly database: Database;
  readonly organizationId: string;
  /** The organization's own: a member and a group, and sets of labels of a key and of a group. */
  readonly known: { readonly userId: string; readonly groupId: string; readonly keyLabels: string; readonly groupLabels: string };
  readonly postgres: UsageStore;
  /** Reads from ClickHouse wherever it can. */
  readonly columnar: UsageStore;
  readonly clickhouse: ClickHouse;
  readonly feeder: UsageFeeder;
  /** What became of questions to `columnar`. */
  readonly outcomes: ReadOutcome[];
  readonly metrics: Record<keyof FeedMetrics, number>;
  /** The time of all of them, UTC epoch milliseconds. */
  setNow(nowMs: number): void;
  /** A feeder of another process; with a client of its own it makes no tables. */
  createFeeder(clickhouse?: ClickHouse): UsageFeeder;
  /** Counts events as one journal; returns it. */
  count(events: readonly UsageEvent[], writerId?: string, first?: bigint): Promise<string>;
  /** Charges what was charged by the price version `v1` twice as much, and by `v2` from then on. */
  rerate(range: { readonly fromMs: number; readonly toMs: number }): Promise<void>;
  /** The next process may feed at once, as when the one before has died long ago. */
  forgetLease(): Promise<void>;
  close(): Promise<void>;
};

export async function startBench(): Promise<Bench> {
  const [engine, postgres] = await Promise.all([getClickHouse(), getPostgres()]);
  return {
    engine,
    open: (options) => openStores({ engine, postgres }, options),
    stop: async () => void (await Promise.all([engine.stop(), postgres.stop()])),
  };
}

type Parts = { readonly engine: RealClickHouse; readonly postgres: RealPostgres };

async function openStores(
  { engine, postgres }: Parts,
  { nowMs = Date.UTC(2026, 7, 10), eventsAtOnce }: BenchOptions = {},
): Promise<Stores> {
  const clock = { nowMs };
  const now = (): number => clock.nowMs;
  const database = createDatabase({ url: await postgres.createDatabase() });
  const { pool } = database;
  const { organizationId, known } = await makeOrganization(database);
  const clickhouse = createClickHouse({ url: engine.url, database: await engine.createDatabase(), user: 'default', password: '' });
  const store = createUsageStore({ pool, now });
  const metrics = { fed: 0, complete: 0, failed: 0, differing: 0, rewritten: 0 };
  const createFeeder = (own: ClickHouse = clickhouse): UsageFeeder =>
    createUsageFeeder({
      ...{ clickhouse: own, now, log: SILENT, retentionDays: RETENTION_DAYS, makesTables: own === clickhouse },
      feed: createUsageFeed({ pool, now, ...(eventsAtOnce === undefined ? {} : { eventsAtOnce }) }),
      metrics: {
        fed: (count) => (metrics.fed += count),
        complete: () => (metrics.complete += 1),
        failed: () => (metrics.failed += 1),
        differing: (days) => (metrics.differing = days),
        rewritten: (days) => (metrics.rewritten += days),
      },
    });
  const outcomes: ReadOutcome[] = [];
  const reader = createColumnarReader({ clickhouse, reference: createUsageReference(pool), now, retentionDays: RETENTION_DAYS });
  return {
    ...{ database, organizationId, known, postgres: store, clickhouse, outcomes, metrics, createFeeder },
    feeder: createFeeder(),
    columnar: preferColumnar({
      ...{ store, reader, log: SILENT, onRead: (outcome) => void outcomes.push(outcome) },
      inTurn: (_organizationId, ask) => ask(),
    }),
    setNow: (atMs) => void (clock.nowMs = atMs),
    count: async (events, writerId = randomUUID(), first = 0n) => {
      await store.applyBatch(sequenceEvents(writerId, events, first), null);
      return writerId;
    },
    rerate: (range) => rerateTwice(database, { ...range, nowMs: clock.nowMs }),
    forgetLease: async () => void (await pool.query('UPDATE usage_feed SET leased_by = NULL, leased_until = NULL')),
    close: async () => {
      await clickhouse.close();
      await database.close();
    },
  };
}

async function makeOrganization({ prisma }: Database): Promise<Pick<Stores, 'organizationId' | 'known'>> {
  const { id: organizationId } = await prisma.organization.create({ data: { name: 'Acme' } });
  const user = await prisma.userAccount.create({ data: { email: `ada-${randomUUID()}@example.com` } });
  await prisma.orgMember.create({ data: { organizationId, userId: user.id } });
  const group = await prisma.userGroup.create({ data: { organizationId, name: 'Research "A"' } });
  const label = async (kind: string, labels: Record<string, string>): Promise<string> =>
    (await prisma.labelSet.create({ data: { organizationId, kind, labels, sha256: randomBytes(32) } })).id;
  const known = {
    ...{ userId: user.id, groupId: group.id },
    ...{ keyLabels: await label('key', { f: 'prod' }), groupLabels: await label('group', { f: '42' }) },
  };
  return { organizationId, known };
}

async function rerateTwice({ pool }: Database, { fromMs, toMs, nowMs }: { fromMs: number; toMs: number; nowMs: number }): Promise<void> {
  await rerateUsage(
    {
      pool,
      now: () => nowMs,
      noteDone: async ({ id }, { organizationId }) =>
        void (await pool.query("UPDATE rerate_organization SET state = 'done' WHERE rerate_id = $1 AND org_id = $2", [id, organizationId])),
    },
    {
      criteria: {
        modelUsed: 'vendor/model',
        providerUsed: null,
        fromMs,
        toMs,
        priceVersion: 'v1',
        toPriceVersion: 'v2',
        organizationId: null,
      },
      ...{ because: 'a misprint', actor: 'ann', allowsDebt: true, isBalanceRequired: false, isDryRun: false },
      price: (_event, costPico) => ({ costPico: costPico * 2n }),
    },
  );
}
