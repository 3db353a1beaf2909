import type { UsageEvent } from '@weir/contracts';
import { createDatabase, createUsageStore } from '@weir/database';
import { makeUsageEvent, NO_UNITS, sequenceEvents } from './make-usage-event';
import { randomUUID } from 'node:crypto';

const DAY_MS = 86_400_000;
/** As many as a shipping writer sends at once. */
const BATCH = 5_000;

type Size = { readonly days: number; readonly keys: number; readonly members: number; readonly groups: number; readonly requests: number };

/** What an organization of some size is filled with, and what its usage adds up to. */
export type FilledOrganization = {
  readonly costPico: bigint;
  readonly requests: number;
  readonly errors: number;
  readonly firstMs: number;
};

type Pool = ReturnType<typeof createDatabase>['pool'];
type KeyRow = { readonly id: string; readonly user_id: string; readonly group_id: string };

/**
 * Members, groups and keys of an organization, and what they used on so many days until today, counted as it is counted in
 * life: day by day through the usage store, so that rollups, spend and ledger agree. Always the same but for ids.
 */
export async function fillOrganization(databaseUrl: string, organizationId: string, size: Size): Promise<FilledOrganization> {
  const database = createDatabase({ url: databaseUrl });
  try {
    const keys = await addKeys(database.pool, organizationId, size);
    const filled = await addUsage(database.pool, organizationId, { ...size, keyRows: keys });
    // In a hundred days Postgres would have done so by itself; without it plans are made as for empty tables.
    await database.pool.query('ANALYZE');
    return filled;
  } finally {
    await database.close();
  }
}

async function addKeys(pool: Pool, organizationId: string, { keys, members, groups }: Size): Promise<readonly KeyRow[]> {
  await pool.query(
    `WITH people AS (
        INSERT INTO user_account (id, email, updated_at) SELECT gen_random_uuid(), 'member-' || at || '@large.example', now()
        FROM generate_series(1, $2::int) AS at RETURNING id
      )
      INSERT INTO org_member (organization_id, user_id) SELECT $1::uuid, id FROM people`,
    [organizationId, members],
  );
  await pool.query(
    `INSERT INTO user_group (organization_id, name) SELECT $1::uuid, 'Group ' || lpad(at::text, 4, '0') FROM generate_series(1, $2::int) AS at`,
    [organizationId, groups],
  );
  const { rows } = await pool.query<KeyRow>(
    `WITH people AS (SELECT user_id, row_number() OVER (ORDER BY user_id) AS at FROM org_member WHERE organization_id = $1::uuid),
        teams AS (SELECT id, row_number() OVER (ORDER BY name) AS at FROM user_group WHERE organization_id = $1::uuid)
      INSERT INTO api_key (organization_id, name, hash, prefix, last4, user_id, created_by, group_id, created_at)
      SELECT $1::uuid, 'service ' || lpad(n::text, 5, '0'), sha256(convert_to($1::text || n, 'UTF8')), 'weir_' || lpad(n::text, 5, '0'),
        lpad((n % 10000)::text, 4, '0'), people.user_id, people.user_id, teams.id, now() - interval '101 days' + n * interval '1 second'
      FROM generate_series(1, $2::int) AS n
        JOIN people ON people.at = 1 + n % (SELECT count(*) FROM people) JOIN teams ON teams.at = 1 + n % (SELECT count(*) FROM teams)
      RETURNING id, user_id, group_id`,
    [organizationId, keys],
  );
  return rows;
}

type Filling = Size & { readonly keyRows: readonly KeyRow[] };

async function addUsage(pool: Pool, organizationId: string, size: Filling): Promise<FilledOrganization> {
  const writerId = randomUUID();
  const perDay = Math.floor(size.requests / size.days);
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const firstMs = today - (size.days - 1) * DAY_MS;
  // Events are counted on their own day: those of a hundred days ago would be too late today.
  let nowMs = firstMs;
  const store = createUsageStore({ pool, now: () => nowMs });
  let costPico = 0n;
  let [counted, errors] = [0, 0];
  let waiting: UsageEvent[] = [];
  const flush = async (): Promise<void> => {
    const { applied } = await store.applyBatch(sequenceEvents(writerId, waiting, BigInt(counted)), null);
    if (applied !== waiting.length) throw new Error(`${applied} of ${waiting.length} events were counted`);
    counted += applied;
    waiting = [];
  };
  for (let day = 0; day < size.days; day += 1) {
    const dayMs = firstMs + day * DAY_MS;
    const untilMs = Math.min(dayMs + DAY_MS, Date.now());
    nowMs = untilMs;
    for (let at = 0; at < perDay; at += 1) {
      const event = describeEvent(organizationId, size.keyRows, {
        number: day * perDay + at,
        atMs: dayMs + ((untilMs - dayMs) * at) / perDay,
      });
      costPico += BigInt(event.cost_p);
      errors += event.status === 'upstream_error' ? 1 : 0;
      waiting.push(event);
      if (waiting.length >= BATCH) await flush();
    }
  }
  if (waiting.length > 0) await flush();
  return { costPico, requests: counted, errors, firstMs };
}

const MODELS = ['sandbox/chat', 'vendor/large', 'vendor/small', 'vendor/reasoning', 'other/medium'];

function describeEvent(organizationId: string, keys: readonly KeyRow[], { number, atMs }: { number: number; atMs: number }): UsageEvent {
  // A few keys are used much and most a little; every number is a step of a sequence that meets all.
  const step = (number * 7919) % 104_729;
  const key = keys[number % 4 === 0 ? step % 20 : step % keys.length];
  if (key === undefined) throw new Error('an organization without keys uses nothing');
  const model = MODELS[(step * step) % MODELS.length] ?? '';
  const isError = number % 97 === 0;
  const milliseconds = 200 + (step % 1_000) + (step % 50 === 0 ? 8_000 : 0);
  const admittedAt = Math.floor(atMs);
  const cost = String(isError ? 0 : 1_000_000 * (1 + (step % 5_000)));
  return makeUsageEvent({
    ...{ org_id: organizationId, api_key_id: key.id, user_id: key.user_id, group_id: key.group_id },
    ...{ model_requested: model, model_used: model, provider_used: model.split('/')[0] ?? '', end_user_id: `user-${step % 300}` },
    ...{ admitted_at: admittedAt, ended_at: admittedAt + milliseconds, dur_ms: milliseconds, ttft_ms: isError ? null : 50 + (step % 300) },
    ...{ cost_p: cost, billed_p: cost, units: { ...NO_UNITS, in: 100 + (step % 900), out: isError ? 0 : step % 400 } },
    ...(isError ? { status: 'upstream_error', http_status: 502, error_origin: 'provider' } : {}),
  });
}
