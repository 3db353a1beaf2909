import { usageEvent, type UsageEvent } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { CountedMark, GenerationLine, GenerationPage, GenerationPosition, GenerationQuery } from '@weir/usage';
import type { Pool, PoolClient } from 'pg';
import { ANSWER_TIMEOUT_MS } from '../../postgres/statement-timeout';
import { runAsOrganization } from '../../tenancy/organization-database';
import { ATTEMPTS_WITHIN, buildListSql, LOOKED_AT_MAX, LOOKED_AT_SINCE_MAX } from './build-list-sql';

/**
 * One snapshot for all statements, so that the mark of a page says exactly what the page could see. Compiling what is run
 * once would take longer than running it.
 */
const BEGIN = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${ANSWER_TIMEOUT_MS}; SET LOCAL jit = off`;

type Row = {
  readonly looked_at: number;
  readonly admitted_ms: string;
  readonly request_id: string;
  readonly is_match: boolean;
  readonly payload: string | null;
};

export function listGenerations(pool: Pool, query: GenerationQuery): Promise<GenerationPage> {
  const { organizationId } = query;
  return runAsOrganization(pool, { organizationId, begin: BEGIN }, async (client) => {
    const counted = await readMark(client, query.since);
    const { rows } = await readRows(client, query);
    const { found, next, isPartial } = cutPage(rows, query);
    const lines = await addUp(client, organizationId, found);
    return { lines, next, isPartial, counted };
  });
}

/**
 * Transactions that began before `mark` have ended in this snapshot, so what they counted is seen by it. What others
 * counted may or may not be: it is returned again rather than left out.
 */
const READ_MARK = {
  name: 'weir-counted-mark',
  text: `SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS mark, pg_snapshot_xmax(pg_current_snapshot())::text AS next,
    floor(extract(epoch FROM clock_timestamp()) * 1000)::text AS at_ms`,
};

/** Postgres compares transactions only over half of what 32 bits can number. */
const TRANSACTIONS_APART_MAX = 2n ** 30n;

async function readMark(client: PoolClient, since: CountedMark | undefined): Promise<CountedMark> {
  const { rows } = await client.query<{ mark: string; next: string; at_ms: string }>(READ_MARK);
  const { mark = '0', next = '0', at_ms: atMs = '0' } = rows[0] ?? {};
  const apart = since === undefined ? 0n : BigInt(next) - since.mark;
  // Of another database, or of this one as it was put back from a copy.
  if (apart < 0n || apart > TRANSACTIONS_APART_MAX) {
    const field = 'after';
    throw new GatewayError('invalid_request', '`after` is too old, or of another database: begin with the first page again.', { field });
  }
  return { mark: BigInt(mark), atMs: Number(atMs) };
}

async function readRows(client: PoolClient, query: GenerationQuery): Promise<{ rows: readonly Row[] }> {
  const exact = await readExact(client, query);
  if (exact.length > 0) return { rows: exact };
  const xid = query.since === undefined ? null : { low: String(BigInt.asUintN(32, query.since.mark)) };
  const { text, values } = buildListSql(query, xid);
  return client.query<Row>({ text, values: [...values] });
}

/** A whole id is found by its index and not by going through all that was asked since. */
async function readExact(client: PoolClient, query: GenerationQuery): Promise<readonly Row[]> {
  const { filters, before, since } = query;
  const { idPrefix } = filters;
  if (idPrefix === undefined || before !== undefined || since !== undefined) return [];
  const { rows } = await client.query<{ admitted_ms: string }>(
    `SELECT floor(extract(epoch FROM admitted_at) * 1000)::text AS admitted_ms FROM usage_event
      WHERE org_id = $1::uuid AND request_id = $2 AND payload->>'logical' = 'true' LIMIT 1`,
    [query.organizationId, idPrefix],
  );
  const admittedAtMs = Number(rows[0]?.admitted_ms);
  if (rows.length === 0) return [];
  const startMs = Math.max(query.startMs ?? 0, admittedAtMs);
  const endMs = Math.min(query.endMs ?? Infinity, admittedAtMs + 1);
  if (endMs <= startMs) return [];
  const { text, values } = buildListSql({ ...query, startMs, endMs }, null);
  return (await client.query<Row>({ text, values: [...values] })).rows.filter(({ is_match: isMatch }) => isMatch);
}

type Found = { readonly event: UsageEvent; readonly admittedAtMs: number };
type Cut = { readonly found: readonly Found[]; readonly next: GenerationPosition | null; readonly isPartial: boolean };

function cutPage(rows: readonly Row[], { limit, since }: GenerationQuery): Cut {
  const matches = rows.filter(({ is_match: isMatch }) => isMatch);
  const page = matches.slice(0, limit);
  const looked = rows.find(({ looked_at: lookedAt }) => lookedAt === (since === undefined ? LOOKED_AT_MAX : LOOKED_AT_SINCE_MAX));
  const isFull = matches.length > limit;
  const last = isFull ? page.at(-1) : looked;
  return {
    found: page.flatMap(({ payload, admitted_ms: admittedMs }) => {
      const read = usageEvent.safeParse(JSON.parse(payload ?? 'null'));
      return read.success ? [{ event: read.data, admittedAtMs: Number(admittedMs) }] : [];
    }),
    next: last === undefined ? null : { admittedAtMs: Number(last.admitted_ms), requestId: last.request_id },
    isPartial: !isFull && looked !== undefined,
  };
}

const ADD_UP = {
  name: 'weir-generations-attempts',
  text: `SELECT request_id, count(*) FILTER (WHERE payload->'corrects' IS NULL)::int AS attempts, sum((payload->>'cost_p')::numeric)::text AS cost,
      sum((payload->>'billed_p')::numeric)::text AS billed
    FROM usage_event WHERE org_id = $1::uuid AND request_id = ANY ($2::text[])
      AND admitted_at >= $3::timestamptz - ${ATTEMPTS_WITHIN} AND admitted_at <= $4::timestamptz + ${ATTEMPTS_WITHIN}
    GROUP BY request_id`,
};

const FIND_KEYS = {
  name: 'weir-generations-keys',
  text: 'SELECT id, name FROM api_key WHERE organization_id = $1::uuid AND id = ANY ($2::uuid[])',
};

type Sums = { readonly request_id: string; readonly attempts: number; readonly cost: string; readonly billed: string };

async function addUp(client: PoolClient, organizationId: string, found: readonly Found[]): Promise<GenerationLine[]> {
  const [newest, oldest] = [found[0], found.at(-1)];
  if (newest === undefined || oldest === undefined) return [];
  const ids = found.map(({ event }) => event.request_id);
  const range = [oldest, newest].map(({ admittedAtMs }) => new Date(admittedAtMs).toISOString());
  const sums = await client.query<Sums>({ ...ADD_UP, values: [organizationId, ids, ...range] });
  const keyIds = [...new Set(found.map(({ event }) => event.api_key_id))];
  const keys = await client.query<{ id: string; name: string }>({ ...FIND_KEYS, values: [organizationId, keyIds] });
  const byRequest = new Map(sums.rows.map((row) => [row.request_id, row]));
  const names = new Map(keys.rows.map(({ id, name }) => [id, name]));
  const lines = found.map(({ event, admittedAtMs }): GenerationLine => {
    const { attempts = 1, cost = event.cost_p, billed = event.billed_p } = byRequest.get(event.request_id) ?? {};
    const apiKeyName = names.get(event.api_key_id.toLowerCase()) ?? null;
    return { event, admittedAtMs, attempts, costPico: BigInt(cost), billedPico: BigInt(billed), apiKeyName };
  });
  // A dead letter that was counted again by hand may stand beside its event.
  return [...new Map(lines.map((line) => [line.event.request_id, line])).values()];
}
