import { periodStart, type SpendScope } from '@weir/usage';
import type { Queryable } from '../tenancy/organization-database';

type MonthlySpend = { readonly costPico: bigint; readonly requests: number; readonly version: bigint };

type SpendReader = {
  /**
   * What each of `ids` has used in the UTC month of `atMs`; an id that used nothing is not in the result.
   * Ids of a `group_member` are made by `groupMemberScopeId`.
   */
  readSpend(scope: SpendScope, ids: readonly string[], atMs: number): Promise<ReadonlyMap<string, MonthlySpend>>;
  /** When usage of each of `ids` was last counted; an id that never used anything is not in the result. */
  readLastCounted(scope: SpendScope, ids: readonly string[]): Promise<ReadonlyMap<string, Date>>;
};

const READ = {
  name: 'weir-read-spend',
  text: `SELECT scope_id, cost_pico::text AS cost_pico, requests::text AS requests, version::text AS version FROM spend_month
    WHERE scope = $1 AND scope_id = ANY($2::text[]) AND month = to_timestamp($3::bigint)`,
};

const READ_LAST_COUNTED = {
  name: 'weir-read-last-counted',
  text: 'SELECT scope_id, max(updated_at) AS counted_at FROM spend_month WHERE scope = $1 AND scope_id = ANY($2::text[]) GROUP BY scope_id',
};

type SpendRow = { scope_id: string; cost_pico: string; requests: string; version: string };

export function createSpendReader(source: Queryable): SpendReader {
  return {
    readSpend: async (scope, ids, atMs) => {
      if (ids.length === 0) return new Map();
      const monthSeconds = periodStart('month', atMs) / 1000;
      const { rows } = await source.query<SpendRow>({ ...READ, values: [scope, ids, monthSeconds] });
      return new Map(
        rows.map((row) => [
          row.scope_id,
          { costPico: BigInt(row.cost_pico), requests: Number(row.requests), version: BigInt(row.version) },
        ]),
      );
    },
    readLastCounted: async (scope, ids) => {
      if (ids.length === 0) return new Map();
      const { rows } = await source.query<{ scope_id: string; counted_at: Date }>({ ...READ_LAST_COUNTED, values: [scope, ids] });
      return new Map(rows.map((row) => [row.scope_id, row.counted_at]));
    },
  };
}
