import type { LimitMeasure, LimitWindow } from '@weir/contracts';
import type { Queryable } from '../tenancy/organization-database';

/** A limit, and the windows of it that count now. */
export type AskedLimit = {
  readonly limitId: string;
  readonly measure: LimitMeasure;
  readonly window: LimitWindow;
  /** It holds for each of its kind apart. */
  readonly isApart: boolean;
  /** First and last start of the windows that count together; null for a limit without windows. */
  readonly starts: { readonly firstMs: number; readonly lastMs: number } | null;
};

export type LimitFill = {
  /** As in names of scopes: `-` where the limit is about one thing. */
  readonly partition: string;
  /** In the unit of the measure: pico-dollars, requests, tokens. */
  readonly used: bigint;
};

const READ = {
  name: 'weir-read-limit-fill',
  text: `SELECT asked.limit_id, fill.partition, fill.used::text AS used
    FROM unnest($2::uuid[], $3::text[], $4::text[], $5::boolean[], $6::bigint[], $7::bigint[])
      AS asked(limit_id, measure, window_name, is_apart, first_seconds, last_seconds)
    CROSS JOIN LATERAL (
      SELECT split_part(u.scope, ':', 4) AS partition, sum(u.used) AS used FROM limit_usage u
      WHERE u.org_id = $1::uuid AND u.limit_id = asked.limit_id AND split_part(u.scope, ':', 3) = asked.measure
        AND split_part(split_part(u.scope, ':', 5), '@', 1) = asked.window_name AND (split_part(u.scope, ':', 4) <> '-') = asked.is_apart
        AND (asked.first_seconds IS NULL AND u.window_start IS NULL
          OR u.window_start BETWEEN to_timestamp(asked.first_seconds) AND to_timestamp(asked.last_seconds))
      GROUP BY 1 ORDER BY used DESC, partition LIMIT $8
    ) AS fill`,
};

type Row = { readonly limit_id: string; readonly partition: string; readonly used: string };

/** What limits have counted, by limit: of those that hold for each apart, the fullest. A limit that counted nothing is not in the result. */
export async function readLimitFill(
  source: Queryable,
  organizationId: string,
  { asked, most }: { readonly asked: readonly AskedLimit[]; readonly most: number },
): Promise<ReadonlyMap<string, readonly LimitFill[]>> {
  if (asked.length === 0) return new Map();
  const seconds = (ms: number | undefined): number | null => (ms === undefined ? null : ms / 1000);
  const { rows } = await source.query<Row>({
    ...READ,
    values: [
      organizationId,
      asked.map(({ limitId }) => limitId),
      asked.map(({ measure }) => measure),
      asked.map(({ window }) => window),
      asked.map(({ isApart }) => isApart),
      asked.map(({ starts }) => seconds(starts?.firstMs)),
      asked.map(({ starts }) => seconds(starts?.lastMs)),
      most,
    ],
  });
  const fills = new Map<string, LimitFill[]>();
  for (const { limit_id: limitId, partition, used } of rows) {
    const fill = { partition, used: BigInt(used) };
    fills.set(limitId, [...(fills.get(limitId) ?? []), fill]);
  }
  return fills;
}
