import type { CounterOwnerStore, OwnerClaim, OwnerHolder } from '@weir/limits';
import type { Pool } from 'pg';
import { ANSWER_TIMEOUT_MS } from '../postgres/statement-timeout';

const NOW = 'clock_timestamp()';
const UNTIL = `${NOW} + $3::bigint * interval '1 millisecond'`;
const PLACE = "'counters'";

/** One that has lost the reply to its first try is not in its own way. */
const TAKE = {
  text: `INSERT INTO counter_owner AS known (place, epoch, owner_id, holder, renewed_at, owned_until)
    VALUES (${PLACE}, 1, $1::uuid, $2::jsonb, ${NOW}, ${UNTIL})
  ON CONFLICT (place) DO UPDATE SET epoch = known.epoch + 1, owner_id = excluded.owner_id, holder = excluded.holder,
    renewed_at = excluded.renewed_at, owned_until = excluded.owned_until
    WHERE known.owner_id IS NULL OR known.owner_id = excluded.owner_id OR known.owned_until < ${NOW} OR known.epoch = $4::bigint
  RETURNING epoch::text AS epoch`,
  query_timeout: ANSWER_TIMEOUT_MS,
};

const READ = {
  text: `SELECT epoch::text AS epoch, holder, extract(epoch FROM ${NOW} - renewed_at) * 1000 AS silent_ms,
    extract(epoch FROM owned_until - ${NOW}) * 1000 AS left_ms FROM counter_owner WHERE place = ${PLACE}`,
  query_timeout: ANSWER_TIMEOUT_MS,
};

/** A database that was restored to an earlier moment knows an earlier owner, or none: the one that lives goes on. */
const RENEW = {
  text: `INSERT INTO counter_owner AS known (place, epoch, owner_id, holder, renewed_at, owned_until)
    VALUES (${PLACE}, $4::bigint, $1::uuid, $2::jsonb, ${NOW}, ${UNTIL})
  ON CONFLICT (place) DO UPDATE SET epoch = excluded.epoch, owner_id = excluded.owner_id, holder = excluded.holder,
    renewed_at = excluded.renewed_at, owned_until = excluded.owned_until
    WHERE (known.owner_id = excluded.owner_id AND known.epoch = excluded.epoch) OR known.epoch < excluded.epoch
  RETURNING epoch`,
  query_timeout: ANSWER_TIMEOUT_MS,
};

const RELEASE = {
  text: `UPDATE counter_owner SET owner_id = NULL, owned_until = ${NOW} WHERE place = ${PLACE} AND owner_id = $1::uuid`,
  query_timeout: ANSWER_TIMEOUT_MS,
};

type Row = { readonly epoch: string; readonly holder: OwnerHolder; readonly silent_ms: string; readonly left_ms: string };

/** Each call is one statement on any connection, so that a pool that changes servers after each transaction may stand in between. */
export function createCounterOwnerStore(pool: Pool): CounterOwnerStore {
  const write = async (statement: typeof TAKE, { ownerId, holder, ttlMs }: OwnerClaim, epoch: number | null) => {
    const values = [ownerId, JSON.stringify(holder), ttlMs, epoch];
    return (await pool.query<{ epoch: string }>({ ...statement, values })).rows[0];
  };
  return {
    take: async (claim, goneEpoch) => {
      for (;;) {
        const taken = await write(TAKE, claim, goneEpoch ?? null);
        if (taken !== undefined) return { epoch: Number(taken.epoch) };
        const [row] = (await pool.query<Row>(READ)).rows;
        if (row === undefined) continue; // it was removed in between
        const { epoch, holder, silent_ms: silentMs, left_ms: leftMs } = row;
        return { ahead: { epoch: Number(epoch), holder, silentMs: Number(silentMs), leftMs: Number(leftMs) } };
      }
    },
    renew: async (claim, epoch) => (await write(RENEW, claim, epoch)) !== undefined,
    release: async (ownerId) => {
      await pool.query({ ...RELEASE, values: [ownerId] });
    },
  };
}

/** Of an owner that renews, a few renewals. */
const LIVING_MS = 15_000;

const FREE = {
  text: `UPDATE counter_owner SET owner_id = NULL, owned_until = ${NOW}
    WHERE place = ${PLACE} AND owner_id IS NOT NULL AND ($1::boolean OR renewed_at < ${NOW} - ${LIVING_MS} * interval '1 millisecond')
    RETURNING holder`,
};
const IS_OWNED = { text: `SELECT FROM counter_owner WHERE place = ${PLACE} AND owner_id IS NOT NULL` };

/** Gives the counters free for one that cannot: returns who had them, null where no one had. `isForced`: also of an owner that lives. */
export async function freeCounters(pool: Pool, isForced: boolean): Promise<OwnerHolder | 'living' | null> {
  const [freed] = (await pool.query<{ holder: OwnerHolder }>({ ...FREE, values: [isForced] })).rows;
  if (freed !== undefined) return freed.holder;
  return (await pool.query(IS_OWNED)).rows.length > 0 ? 'living' : null;
}
