import type { DaySums, MeasureColumn } from '@weir/usage';
import { MEASURE_COLUMNS } from '@weir/usage';
import type { Pool } from 'pg';
import { parseRanges, type SequenceRange } from '../counting/sequence-ranges';
import { runInTransaction } from '../../postgres/run-in-transaction';

/** What is left of one journal. */
export type WriterLeft = { readonly writerId: string; readonly ranges: readonly SequenceRange[] };

/** A re-rating with corrections that are not all fed; `corrected`: how many it has made. */
export type RerateLeft = { readonly rerateId: string; readonly corrected: bigint };

export type PassLeft = {
  readonly asOfMs: number;
  readonly writers: readonly WriterLeft[];
  readonly rerates: readonly RerateLeft[];
  readonly days: readonly DaySums[];
};

/** Letters that wait are no events yet. */
const READ_WRITERS = {
  name: 'weir-feed-writers',
  text: `SELECT w.writer_id, (w.seen - coalesce(f.fed, '{}') - coalesce(d.waiting, '{}'))::text AS ranges
    FROM usage_writer w
    LEFT JOIN usage_fed f ON f.writer_id = w.writer_id
    LEFT JOIN LATERAL (SELECT range_agg(int8range(l.seq, l.seq, '[]')) AS waiting FROM usage_dead_letter l
      WHERE l.writer_id = w.writer_id AND l.replayed_at IS NULL AND l.dismissed_at IS NULL) d ON true
    WHERE NOT w.seen <@ coalesce(f.fed, '{}') ORDER BY w.writer_id`,
};

const READ_RERATES = {
  name: 'weir-feed-rerates',
  text: `SELECT o.rerate_id, sum(o.corrected)::text AS corrected FROM rerate_organization o LEFT JOIN usage_fed f ON f.writer_id = o.rerate_id
    GROUP BY o.rerate_id, f.fed HAVING sum(o.corrected) > coalesce(upper(f.fed), 0)`,
};

const READ_AS_OF = {
  name: 'weir-feed-as-of',
  text: 'SELECT floor(extract(epoch FROM coalesce(max(updated_at), now())) * 1000)::text AS ms FROM usage_writer',
};

const COLUMNS = Object.keys(MEASURE_COLUMNS) as MeasureColumn[];

const READ_DAYS = {
  name: 'weir-feed-days',
  text: `SELECT org_id, (extract(epoch FROM period_start) * 1000)::bigint::text AS day_ms, ${COLUMNS.map((column) => `sum(${column})::text AS ${column}`).join(', ')}
    FROM usage_day WHERE period_start >= to_timestamp($1::double precision / 1000) AND period_start < date_trunc('day', to_timestamp($2::double precision / 1000), 'UTC')
    GROUP BY org_id, period_start`,
};

type DayRow = { readonly org_id: string; readonly day_ms: string } & Readonly<Record<MeasureColumn, string>>;

/** All of one snapshot: so what is fed of it comes to the same as its sums. `days`: which ones to sum up, half-open and by `nowMs` over. */
export function readPass(pool: Pool, days?: { readonly fromMs: number; readonly nowMs: number }): Promise<PassLeft> {
  return runInTransaction(pool, async (client) => {
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const asOf = await client.query<{ ms: string }>(READ_AS_OF);
    const writers = await client.query<{ writer_id: string; ranges: string }>(READ_WRITERS);
    const rerates = await client.query<{ rerate_id: string; corrected: string }>(READ_RERATES);
    const sums = days === undefined ? [] : (await client.query<DayRow>({ ...READ_DAYS, values: [days.fromMs, days.nowMs] })).rows;
    return {
      asOfMs: Number(asOf.rows[0]?.ms),
      writers: writers.rows
        .map(({ writer_id: writerId, ranges }) => ({ writerId, ranges: parseRanges(ranges) }))
        .filter(({ ranges }) => ranges.length > 0),
      rerates: rerates.rows.map(({ rerate_id: rerateId, corrected }) => ({ rerateId, corrected: BigInt(corrected) })),
      days: sums.map(({ org_id: organizationId, day_ms, ...columns }) => ({ organizationId, dayMs: Number(day_ms), sums: columns })),
    };
  });
}
