import type { DataKeyStore, WrappedDataKey } from '@weir/sealing';
import type { Pool, PoolClient } from 'pg';

const COLUMNS = 'id, organization_id AS "organizationId", kek_id AS "kekId", wrapped';

/** Data keys as they stand in Postgres; what comes out is still wrapped. */
export function createDataKeyStore(pool: Pool): DataKeyStore {
  return {
    ensureActive: async (organizationId, offer) => {
      const found = await findActive(pool, organizationId);
      if (found !== undefined) return found;
      return withDataKeyLock(pool, organizationId, async (client) => {
        const made = await findActive(client, organizationId);
        if (made !== undefined) return made;
        const offered = offer();
        await insertDataKey(client, offered);
        return offered;
      });
    },
    find: async (organizationId, id) => {
      const { rows } = await pool.query<WrappedDataKey>(`SELECT ${COLUMNS} FROM org_dek WHERE id = $1 AND organization_id = $2`, [
        id,
        organizationId,
      ]);
      return rows[0];
    },
  };
}

async function findActive(door: Pool | PoolClient, organizationId: string): Promise<WrappedDataKey | undefined> {
  const { rows } = await door.query<WrappedDataKey>(
    `SELECT ${COLUMNS} FROM org_dek WHERE organization_id = $1 AND retired_at IS NULL ORDER BY created_at DESC LIMIT 1`,
    [organizationId],
  );
  return rows[0];
}

export async function insertDataKey(client: PoolClient, { id, organizationId, kekId, wrapped }: WrappedDataKey): Promise<void> {
  await client.query('INSERT INTO org_dek (id, organization_id, kek_id, wrapped) VALUES ($1, $2, $3, $4)', [
    id,
    organizationId,
    kekId,
    wrapped,
  ]);
}

/** One transaction in which nobody else changes the data keys of the organization. */
export async function withDataKeyLock<Result>(
  pool: Pool,
  organizationId: string,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`data-key:${organizationId}`]);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}
