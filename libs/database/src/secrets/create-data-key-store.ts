import type { DataKeyStore, WrappedDataKey } from '@weir/sealing';
import type { Pool, PoolClient } from 'pg';
import { runAsOrganization } from '../tenancy/organization-database';

const COLUMNS = 'id, organization_id AS "organizationId", kek_id AS "kekId", wrapped';

/** Data keys as they stand in Postgres; what comes out is still wrapped. */
export function createDataKeyStore(pool: Pool): DataKeyStore {
  return {
    ensureActive: async (organizationId, offer) => {
      const found = await runAsOrganization(pool, { organizationId }, (client) => findActive(client, organizationId));
      if (found !== undefined) return found;
      return runAsOrganization(pool, { organizationId }, async (client) => {
        await lockDataKeys(client, organizationId);
        const made = await findActive(client, organizationId);
        if (made !== undefined) return made;
        const offered = offer();
        await insertDataKey(client, offered);
        return offered;
      });
    },
    find: (organizationId, id) =>
      runAsOrganization(pool, { organizationId }, async (client) => {
        const { rows } = await client.query<WrappedDataKey>(`SELECT ${COLUMNS} FROM org_dek WHERE id = $1 AND organization_id = $2`, [
          id,
          organizationId,
        ]);
        return rows[0];
      }),
  };
}

async function findActive(client: PoolClient, organizationId: string): Promise<WrappedDataKey | undefined> {
  const { rows } = await client.query<WrappedDataKey>(
    `SELECT ${COLUMNS} FROM org_dek WHERE organization_id = $1 AND retired_at IS NULL ORDER BY created_at DESC LIMIT 1`,
    [organizationId],
  );
  return rows[0];
}

/** Until the end of the transaction no one else changes the data keys of the organization. */
export async function lockDataKeys(client: PoolClient, organizationId: string): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`data-key:${organizationId}`]);
}

export async function insertDataKey(client: PoolClient, { id, organizationId, kekId, wrapped }: WrappedDataKey): Promise<void> {
  await client.query('INSERT INTO org_dek (id, organization_id, kek_id, wrapped) VALUES ($1, $2, $3, $4)', [
    id,
    organizationId,
    kekId,
    wrapped,
  ]);
}
