import { createDatabase, type Database } from '@weir/database';
import type { Place, Sight } from '../compare/place';
import { flatten } from './flatten';

type Pool = Database['pool'];
type Row = Readonly<Record<string, unknown>>;

const SUMS = ['requests', 'attempts', 'errors', 'input_tokens', 'output_tokens', 'cached_tokens', 'cache_write_tokens', 'reasoning_tokens'];
const MORE_SUMS = [
  'audio_in_tokens',
  'audio_out_tokens',
  'searches',
  'images',
  'chars',
  'audio_ms',
  'cost_pico',
  'billed_pico',
  'ttft_count',
];
const DIMENSIONS = [
  'org_id',
  'api_key_id',
  'user_id',
  'group_id',
  'model_requested',
  'model_used',
  'provider_used',
  'is_byok',
  'origin_title',
];
const MORE_DIMENSIONS = ['end_user_id', 'endpoint', 'modality', 'extra'];

/** Over all periods: the end of one may fall between two gateways. */
function rollupQuery(period: string): string {
  const sums = [...SUMS, ...MORE_SUMS].map((name) => `sum(u.${name})::text AS ${name}`);
  const dimensions = [...DIMENSIONS, ...MORE_DIMENSIONS].map((name) => `s.${name}`);
  const labels = ['key', 'group'].map((of) => `(SELECT l.labels FROM label_set l WHERE l.id = s.${of}_label_set_id) AS ${of}_labels`);
  return `SELECT ${[...dimensions, ...labels, ...sums].join(', ')} FROM usage_${period} u JOIN usage_series s ON s.id = u.series_id
    GROUP BY ${dimensions.join(', ')}, s.key_label_set_id, s.group_label_set_id`;
}

/** What is compared of a run as a whole: one line for each row, in the order of the lines. */
const TABLES: readonly { readonly subject: string; readonly place: Place; readonly query: string }[] = [
  ...(['hour', 'day', 'month'] as const).map((period) => ({
    subject: `usage by the ${period}`,
    place: 'rollup' as const,
    query: rollupQuery(period),
  })),
  {
    subject: 'spend by the month',
    place: 'spend',
    query: 'SELECT scope, scope_id, sum(cost_pico)::text AS cost, sum(requests)::text AS requests FROM spend_month GROUP BY 1, 2',
  },
  {
    subject: 'postings of the ledger',
    place: 'ledger',
    query: `SELECT a.org_id, a.kind AS account, a.currency, t.kind, sum(e.amount)::text AS amount
      FROM ledger_entry e JOIN ledger_tx t ON t.id = e.tx_id JOIN ledger_account a ON a.id = e.account_id GROUP BY 1, 2, 3, 4`,
  },
  { subject: 'balances of the ledger', place: 'ledger', query: 'SELECT org_id, kind, currency, balance::text FROM ledger_account' },
  { subject: 'dead letters', place: 'counts', query: 'SELECT reason, count(*)::text AS letters FROM usage_dead_letter GROUP BY 1' },
  {
    subject: 'sequences that are counted',
    place: 'counts',
    query: `SELECT sum((SELECT sum(upper(r) - lower(r)) FROM unnest(seen) r))::text AS seen,
      bool_and(isempty(seen) OR seen = int8multirange(int8range(0, upper(seen)))) AS whole FROM usage_writer`,
  },
];

export type Books = {
  countEvents(): Promise<number>;
  readTables(): Promise<Sight[]>;
  /** Every usage event, under the meaning of its request's id. */
  readEvents(meaningOf: (requestId: string) => string | undefined): Promise<Sight[]>;
  close(): Promise<void>;
};

/** Opens what a gateway's database says of usage and money. */
export function openBooks(url: string): Books {
  const database = createDatabase({ url, poolMax: 2 });
  const { pool } = database;
  return {
    countEvents: async () =>
      Number((await pool.query<{ count: string }>('SELECT count(*)::text AS count FROM usage_event')).rows[0]?.count),
    readTables: async () => Promise.all(TABLES.map((table) => readTable(pool, table))),
    readEvents: (meaningOf) => readEvents(pool, meaningOf),
    close: () => database.close(),
  };
}

async function readTable(pool: Pool, { subject, place, query }: (typeof TABLES)[number]): Promise<Sight> {
  const { rows } = await pool.query<Row>(query);
  return { subject, place, text: rows.map((row) => flatten(row).join(', ')).join('\n'), isSet: true };
}

async function readEvents(pool: Pool, meaningOf: (requestId: string) => string | undefined): Promise<Sight[]> {
  const { rows } = await pool.query<{ request_id: string; payload: Row; time_clamped: boolean }>(
    "SELECT request_id, payload, time_clamped FROM usage_event ORDER BY admitted_at, payload->>'attempt_no'",
  );
  return rows.map(({ request_id: id, payload, time_clamped: isClamped }) => ({
    subject: meaningOf(id) ?? 'requests without a response',
    place: 'event',
    text: flatten({ ...payload, time_clamped: isClamped }).join('\n'),
  }));
}
