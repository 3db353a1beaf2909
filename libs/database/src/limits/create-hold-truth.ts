import { BALANCE_SCOPE, isConcurrent, isLimitScope, measureOfScope, parseScope, type HoldTruth, type ScopeBase } from '@weir/limits';
import type { Pool } from 'pg';
import { arrayLiteral } from '../postgres/array-literal';

const READ_SPEND = {
  name: 'weir-read-hold-bases',
  text: `SELECT asked.name, s.cost_pico::text AS cost_pico, s.version::text AS version
    FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) AS asked(name, scope, scope_id, month_seconds)
    JOIN spend_month s ON s.scope = asked.scope AND s.scope_id = asked.scope_id AND s.month = to_timestamp(asked.month_seconds)`,
};

/**
 * What the balance counts: all usage less what the account `outside` took of it (its balance is below zero). Usage makes both
 * accounts grow, and only corrections of prices take them down again: with twice what those took, their sum is a version that
 * grows with everything that can change the base, also when an opening or a correction lowers the base.
 */
const READ_COUNTED = {
  name: 'weir-read-counted-balance',
  text: `SELECT coalesce(sum(balance) * 1000000000000, 0)::numeric(38, 0)::text AS pico,
      (coalesce(sum(abs(balance)) * 1000000000000, 0)
        + 2 * coalesce((SELECT sum(lowered_pico) FROM rerate_organization WHERE org_id = $1), 0))::numeric(38, 0)::text AS version
    FROM ledger_account WHERE org_id = $1 AND kind IN ('usage', 'outside') AND currency = 'USD'`,
};

const READ_LIMITS = {
  name: 'weir-read-limit-bases',
  text: 'SELECT scope, used::text AS used, version::text AS version FROM limit_usage WHERE org_id = $1 AND scope = ANY($2::text[])',
};

/** With all attempts: where something of the writer is missing before the last one, what earlier ones cost may not be counted yet. */
const FIND_COMMITTED = {
  name: 'weir-find-committed-holds',
  text: `SELECT DISTINCT request_id FROM usage_event e WHERE org_id = $1 AND request_id = ANY($2::text[])
    AND payload ->> 'hold_id' = request_id AND (payload ->> 'logical')::boolean
    AND NOT EXISTS (SELECT FROM usage_writer w WHERE w.writer_id = e.writer_id AND NOT w.seen @> int8range(0, e.seq, '[]'))`,
};

/** What of limits is committed in Postgres. */
export function createHoldTruth(pool: Pool): HoldTruth {
  return {
    readBases: async (organizationId, scopes) => {
      const [monthly, limits, balance] = await Promise.all([
        readMonthly(pool, scopes),
        readLimits(pool, organizationId, scopes.filter(isLimitScope)),
        scopes.includes(BALANCE_SCOPE) ? readCounted(pool, organizationId) : Promise.resolve([]),
      ]);
      return [...monthly, ...limits, ...balance];
    },
    findCommitted: async (organizationId, holdIds) => {
      if (holdIds.length === 0) return new Set();
      const { rows } = await pool.query<{ request_id: string }>({ ...FIND_COMMITTED, values: [organizationId, holdIds] });
      return new Set(rows.map((row) => row.request_id));
    },
  };
}

async function readMonthly(pool: Pool, names: readonly string[]): Promise<ScopeBase[]> {
  const asked = names.flatMap((name) => {
    const { kind, id, monthStartMs } = parseScope(name) ?? { kind: 'balance', id: '', monthStartMs: null };
    return monthStartMs === null ? [] : [{ name, kind, id, monthSeconds: monthStartMs / 1000 }];
  });
  if (asked.length === 0) return [];
  const { rows } = await pool.query<{ name: string; cost_pico: string; version: string }>({
    ...READ_SPEND,
    values: [
      asked.map(({ name }) => name),
      asked.map(({ kind }) => kind),
      asked.map(({ id }) => id),
      arrayLiteral(asked.map(({ monthSeconds }) => monthSeconds)),
    ],
  });
  const found = new Map(rows.map((row) => [row.name, row]));
  return asked.map(({ name }) => {
    const row = found.get(name);
    return { scope: name, base: BigInt(row?.cost_pico ?? 0), version: BigInt(row?.version ?? 0) };
  });
}

/** What runs at a moment is never spent: there is nothing to ask for. */
async function readLimits(pool: Pool, organizationId: string, names: readonly string[]): Promise<ScopeBase[]> {
  const asked = names.filter((name) => !isConcurrent(measureOfScope(name)));
  const found = new Map<string, { readonly used: string; readonly version: string }>();
  if (asked.length > 0) {
    const { rows } = await pool.query<{ scope: string; used: string; version: string }>({
      ...READ_LIMITS,
      values: [organizationId, asked],
    });
    for (const row of rows) found.set(row.scope, row);
  }
  return names.map((scope) => {
    const row = found.get(scope);
    return { scope, base: BigInt(row?.used ?? 0), version: BigInt(row?.version ?? 0) };
  });
}

async function readCounted(pool: Pool, organizationId: string): Promise<ScopeBase[]> {
  const { rows } = await pool.query<{ pico: string; version: string }>({ ...READ_COUNTED, values: [organizationId] });
  return [{ scope: BALANCE_SCOPE, base: BigInt(rows[0]?.pico ?? 0), version: BigInt(rows[0]?.version ?? 0) }];
}
