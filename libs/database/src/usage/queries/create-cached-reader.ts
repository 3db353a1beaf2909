import type { UsageWarning } from '@weir/contracts';
import { invariant } from '@weir/errors';
import { periodStart, type UsageQuery } from '@weir/usage';
import type { Pool, PoolClient } from 'pg';
import { runAsOrganization } from '../../tenancy/organization-database';
import type { QueryQueue } from './create-query-queue';
import { createUsageCache, type UsageCache } from './create-usage-cache';
import { readWarnings } from './read-warnings';

export type ReaderParts = {
  readonly pool: Pool;
  readonly now: () => number;
  /** Of all readers of a process. */
  readonly queue: QueryQueue;
};

type Question<Result> = {
  /** How much a result counts in the cache. */
  readonly countEntries: (result: Result) => number;
  /** Reads what a result is made of; what it returns makes the result, without the connection. */
  readonly compute: (client: PoolClient, query: UsageQuery) => Promise<() => Result>;
};

/**
 * `revision` changes with every event of the organization in the months of the query, and with nothing else: the same
 * revision means the same result.
 */
const READ_STATE = {
  name: 'weir-read-usage-state',
  text: `SELECT
    (SELECT floor(extract(epoch FROM max(updated_at)) * 1000)::text FROM usage_writer) AS as_of_ms,
    (SELECT coalesce(string_agg(extract(epoch FROM month)::bigint || ':' || version, ' ' ORDER BY month), '') FROM spend_month
      WHERE scope = 'organization' AND scope_id = $1 AND month >= to_timestamp($2::bigint) AND month < to_timestamp($3::double precision)) AS revision`,
};

type State = { readonly asOfMs: number; readonly revision: string };

/** A result, up to which moment it is complete, and what was too varied to be kept apart. */
type Counted<Result> = { readonly result: Result; readonly as_of: string; readonly warnings?: UsageWarning[] };

/**
 * Reads results of usage queries. A query whose result is cached needs no permit, and one that waits for its permit keeps no
 * connection meanwhile.
 */
export function createCachedReader<Result>(
  parts: ReaderParts,
  question: Question<Result>,
): (query: UsageQuery) => Promise<Counted<Result>> {
  const cache = createUsageCache(question.countEntries);
  return async (query) => {
    let permit = parts.queue.tryAcquire(query.organizationId);
    try {
      let seen = await lookAt(parts, query, { ...question, cache, isPermitted: permit !== undefined });
      if (seen === undefined) {
        permit = await parts.queue.acquire(query.organizationId);
        seen = await lookAt(parts, query, { ...question, cache, isPermitted: true });
      }
      invariant(seen !== undefined, 'a query that has a permit gets a result');
      const result = seen.make();
      if (!seen.isKept) cache.keep(query, seen.revision, result);
      const { warnings } = seen;
      return { result, as_of: new Date(seen.asOfMs).toISOString(), ...(warnings.length === 0 ? {} : { warnings }) };
    } finally {
      permit?.release();
    }
  };
}

type Look<Result> = Question<Result> & { readonly cache: UsageCache<Result>; readonly isPermitted: boolean };
type Seen<Result> = State & { readonly warnings: UsageWarning[]; readonly isKept: boolean; readonly make: () => Result };

/** All in one snapshot. Undefined when no result is cached and the query has no permit to compute one. */
function lookAt<Result>(parts: ReaderParts, query: UsageQuery, look: Look<Result>): Promise<Seen<Result> | undefined> {
  return runAsOrganization(parts.pool, { organizationId: query.organizationId, begin: BEGIN }, async (client) => {
    const state = await readState(parts, client, query);
    const kept = look.cache.find(query, state.revision);
    if (kept === undefined && !look.isPermitted) return undefined;
    const warnings = await readWarnings(client, query);
    if (kept !== undefined) return { ...state, warnings, isKept: true, make: () => kept };
    return { ...state, warnings, isKept: false, make: await look.compute(client, query) };
  });
}

async function readState({ now }: ReaderParts, client: PoolClient, query: UsageQuery): Promise<State> {
  const { rows } = await client.query<{ as_of_ms: string | null; revision: string }>({
    ...READ_STATE,
    values: [query.organizationId, periodStart('month', query.startMs) / 1000, query.endMs / 1000],
  });
  return { asOfMs: Number(rows[0]?.as_of_ms ?? now()), revision: rows[0]?.revision ?? '' };
}

/** Where Postgres may compile queries, doing so takes longer than it spares. */
const BEGIN =
  "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = '10s'; SET LOCAL work_mem = '64MB'; SET LOCAL jit = off";
