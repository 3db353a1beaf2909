import type { Queryable } from '../tenancy/organization-database';

/** A limit whose count is not the sum of its events, in the unit of its measure. */
export type LimitDifference = {
  readonly organizationId: string;
  readonly scope: string;
  readonly counted: bigint;
  readonly used: bigint;
};

/** Deliberately another way than the one that counts. */
const TOKENS_IN = ['in', 'cached_in', 'cache_w5m', 'cache_w1h'].map((unit) => `(e.payload -> 'units' ->> '${unit}')::numeric`).join(' + ');
const TOKENS_OUT = `(e.payload -> 'units' ->> 'out')::numeric`;

/** What each scope has used by its events, and what was counted of it. */
export const USED_AND_COUNTED = `used AS (
      SELECT e.org_id, s.scope, sum(CASE split_part(s.scope, ':', 3)
          WHEN 'usd' THEN (e.payload ->> 'cost_p')::numeric
          WHEN 'requests' THEN CASE WHEN (e.payload ->> 'logical')::boolean THEN 1 ELSE 0 END
          WHEN 'input_tokens' THEN ${TOKENS_IN}
          WHEN 'output_tokens' THEN ${TOKENS_OUT}
          WHEN 'tokens' THEN ${TOKENS_IN} + ${TOKENS_OUT}
        END) AS used
      FROM usage_event e CROSS JOIN LATERAL json_array_elements_text(e.payload -> 'hold_scopes') WITH ORDINALITY AS s(scope, at)
      WHERE s.scope LIKE 'limit:%' AND split_part(s.scope, ':', 5) <> 'now'
        AND NOT coalesce((e.payload -> 'hold_uncounted')::jsonb @> to_jsonb(s.at - 1), false)
      GROUP BY e.org_id, s.scope
    ), counted AS (SELECT org_id, scope, used FROM limit_usage)`;

const COMPARE = {
  name: 'weir-compare-limit-usage',
  text: `WITH ${USED_AND_COUNTED}
    SELECT coalesce(u.org_id, c.org_id) AS org_id, coalesce(u.scope, c.scope) AS scope,
      coalesce(c.used, 0)::text AS counted, coalesce(u.used, 0)::text AS used
    FROM used u FULL JOIN counted c ON c.org_id = u.org_id AND c.scope = u.scope
    WHERE coalesce(c.used, 0) <> coalesce(u.used, 0) ORDER BY 1, 2`,
};

/**
 * Compares what limits have counted with their events. Right as long as every event is kept and no window is forgotten yet;
 * it reads all events, so it is not for a busy database.
 */
export async function compareLimitUsage(source: Queryable): Promise<readonly LimitDifference[]> {
  const { rows } = await source.query<{ org_id: string; scope: string; counted: string; used: string }>({ ...COMPARE, values: [] });
  return rows.map((row) => ({
    organizationId: row.org_id,
    scope: row.scope,
    counted: BigInt(row.counted),
    used: BigInt(row.used),
  }));
}
