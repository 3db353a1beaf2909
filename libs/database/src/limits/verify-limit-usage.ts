import type { LimitMeasure } from '@weir/contracts';
import { limitScopeExpiry, parseLimitScope } from '@weir/limits';
import type { Queryable } from '../tenancy/organization-database';
import { USED_AND_COUNTED, type LimitDifference } from './compare-limit-usage';

export type LimitVerification = {
  /** Counts whose windows run, or ran until a moment ago, and of which every event is kept. */
  readonly compared: number;
  /** Those of which events were deleted, because they were kept long enough. */
  readonly notCompared: number;
  readonly differences: readonly VerifiedDifference[];
};

type VerifiedDifference = LimitDifference & { readonly limitId: string; readonly measure: LimitMeasure };

/**
 * `since`: when the first event that is kept was admitted. Events are deleted by the day, days of usage are not: an earlier one says
 * that some were.
 */
const KEPT = `kept AS (
      SELECT min(admitted_at) AS since,
        EXISTS (SELECT 1 FROM usage_day WHERE period_start < (SELECT date_trunc('day', min(admitted_at), 'UTC') FROM usage_event)) AS is_cut
      FROM usage_event
    )`;
/** A total begins with its limit. */
const IS_WHOLE = 'NOT kept.is_cut OR coalesce(c.window_start, r.created_at) >= kept.since';

const COUNT = {
  name: 'weir-count-verified-limit-usage',
  text: `WITH ${KEPT}
    SELECT count(*) FILTER (WHERE ${IS_WHOLE})::int AS compared, count(*) FILTER (WHERE (${IS_WHOLE}) IS NOT TRUE)::int AS not_compared
    FROM limit_usage c CROSS JOIN kept LEFT JOIN organization_rule r ON r.organization_id = c.org_id AND r.id = c.limit_id
    WHERE (c.expires_at IS NULL OR c.expires_at > to_timestamp($1::double precision / 1000)) AND ($2::uuid IS NULL OR c.org_id = $2)`,
};

/** A count that is missing has no row to say when it began: its name does. */
const DIFFERENCES = {
  name: 'weir-verify-limit-usage',
  text: `WITH ${KEPT}, ${USED_AND_COUNTED}, named AS (
      SELECT coalesce(u.org_id, c.org_id) AS org_id, coalesce(u.scope, c.scope) AS scope,
        coalesce(c.used, 0) AS counted, coalesce(u.used, 0) AS used
      FROM used u FULL JOIN counted c ON c.org_id = u.org_id AND c.scope = u.scope
      WHERE coalesce(c.used, 0) <> coalesce(u.used, 0)
    ), c AS (
      SELECT *, split_part(scope, ':', 2) AS limit_id,
        to_timestamp(substring(scope FROM '@(-?[0-9]{1,12})$')::double precision) AS window_start
      FROM named WHERE $1::uuid IS NULL OR org_id = $1
    )
    SELECT c.org_id, c.scope, c.counted::text AS counted, c.used::text AS used
    FROM c CROSS JOIN kept LEFT JOIN organization_rule r ON r.organization_id = c.org_id AND r.id::text = c.limit_id
    WHERE ${IS_WHOLE} ORDER BY 1, 2`,
};

type Asked = {
  /** Null: all of them. */
  readonly organizationId: string | null;
  readonly nowMs: number;
};

/**
 * Compares what limits have counted with the events that are kept, and leaves out what can not be compared any more: windows that are
 * over, which are forgotten, and those of which events were deleted. It reads all events.
 */
export async function verifyLimitUsage(source: Queryable, { organizationId, nowMs }: Asked): Promise<LimitVerification> {
  const counts = await source.query<{ compared: number; not_compared: number }>({ ...COUNT, values: [nowMs, organizationId] });
  const found = await source.query<{ org_id: string; scope: string; counted: string; used: string }>({
    ...DIFFERENCES,
    values: [organizationId],
  });
  return {
    compared: counts.rows[0]?.compared ?? 0,
    notCompared: counts.rows[0]?.not_compared ?? 0,
    differences: found.rows.flatMap(({ org_id: id, scope, counted, used }) => {
      const of = parseLimitScope(scope);
      // What is over is forgotten; what this version does not know it does not count either.
      if (of === undefined || (limitScopeExpiry(of) ?? Infinity) <= nowMs) return [];
      const { limitId, measure } = of;
      return [{ organizationId: id, limitId, measure, scope, counted: BigInt(counted), used: BigInt(used) }];
    }),
  };
}
