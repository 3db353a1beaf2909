import type { ChangeLog, ConfigChange } from '@weir/access';
import type { Pool, PoolClient } from 'pg';
import { ANSWER_TIMEOUT_MS } from '../postgres/statement-timeout';
import type { Prisma } from '../generated/prisma/client';

const LATEST = {
  name: 'weir-change-latest',
  text: 'SELECT coalesce(max(sequence), 0)::text AS sequence FROM config_change',
  query_timeout: ANSWER_TIMEOUT_MS,
};

const AFTER = {
  name: 'weir-change-after',
  // Qualified: a bare `sequence` in ORDER BY would be the text that is returned, where 10 comes before 9.
  text: `SELECT c.sequence::text AS sequence, c.entity, c.entity_id, c.organization_id FROM config_change c
    WHERE c.sequence > $1 ORDER BY c.sequence LIMIT 1000`,
  query_timeout: ANSWER_TIMEOUT_MS,
};

type ChangeRow = { sequence: string; entity: ConfigChange['entity']; entity_id: string; organization_id: string };

export function createChangeLog(pool: Pool): ChangeLog {
  return {
    latestSequence: async () => {
      const { rows } = await pool.query<{ sequence: string }>(LATEST);
      return BigInt(rows[0]?.sequence ?? 0);
    },
    changesAfter: async (sequence) => {
      const { rows } = await pool.query<ChangeRow>({ ...AFTER, values: [String(sequence)] });
      return rows.map((row) => ({
        sequence: BigInt(row.sequence),
        entity: row.entity,
        entityId: row.entity_id,
        organizationId: row.organization_id,
      }));
    },
  };
}

/** Any number no one else locks. */
const CHANGE_LOCK = 5_714_001;

/**
 * Notes a change in the transaction that makes it. The lock is held until that transaction ends, so sequences are
 * given in the order of commits and a reader never sees a later one first; call it last, writers wait for each other here.
 */
export async function recordChange(tx: Prisma.TransactionClient, change: Omit<ConfigChange, 'sequence'>): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${CHANGE_LOCK}::bigint)`;
  await tx.$executeRaw`INSERT INTO config_change (entity, entity_id, organization_id)
    VALUES (${change.entity}, ${change.entityId}::uuid, ${change.organizationId}::uuid)`;
}

/** The same for a transaction on a plain connection. */
export async function appendConfigChange(client: PoolClient, change: Omit<ConfigChange, 'sequence'>): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1::bigint)', [CHANGE_LOCK]);
  await client.query('INSERT INTO config_change (entity, entity_id, organization_id) VALUES ($1, $2, $3)', [
    change.entity,
    change.entityId,
    change.organizationId,
  ]);
}
