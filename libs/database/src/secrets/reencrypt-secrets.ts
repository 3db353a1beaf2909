import { openSecret, sealSecret, type KeyRing, type SecretPlace, type WrappedDataKey } from '@weir/sealing';
import type { Pool } from 'pg';
import { insertDataKey, lockDataKeys } from './create-data-key-store';
import { runInTransaction } from '../postgres/run-in-transaction';

type Reencryption = {
  readonly pool: Pool;
  readonly keyRing: KeyRing;
  /** Also gives every organization a new data key and seals its secrets with that. */
  readonly renewDataKeys?: boolean;
};

type ReencryptionResult = {
  /** Data keys that are now wrapped by the active key-encryption key. */
  readonly rewrapped: number;
  readonly renewed: number;
  /** Secrets that are now sealed with a newer data key. */
  readonly resealed: number;
};

const COLUMNS = 'd.id, d.organization_id AS "organizationId", d.kek_id AS "kekId", d.wrapped';
const BATCH = 500;

/**
 * Brings everything that is sealed under the active key-encryption key while the service runs: each row changes in one
 * statement, so readers meet either the old or the new, and both open. Can be stopped and repeated at any time.
 */
export async function reencryptSecrets({ pool, keyRing, renewDataKeys = false }: Reencryption): Promise<ReencryptionResult> {
  const rewrapped = await rewrapDataKeys(pool, keyRing);
  const renewed = renewDataKeys ? await renewAll(pool, keyRing) : 0;
  return { rewrapped, renewed, resealed: await resealSecrets(pool, keyRing) };
}

async function rewrapDataKeys(pool: Pool, keyRing: KeyRing): Promise<number> {
  let count = 0;
  for (;;) {
    const { rows } = await pool.query<WrappedDataKey>(`SELECT ${COLUMNS} FROM org_dek d WHERE d.kek_id <> $1 LIMIT ${BATCH}`, [
      keyRing.activeId,
    ]);
    if (rows.length === 0) return count;
    for (const row of rows) {
      const { kekId, wrapped } = keyRing.rewrap(row);
      const values = [row.id, row.kekId, kekId, wrapped];
      const { rowCount } = await pool.query('UPDATE org_dek SET kek_id = $3, wrapped = $4 WHERE id = $1 AND kek_id = $2', values);
      count += rowCount ?? 0;
    }
  }
}

async function renewAll(pool: Pool, keyRing: KeyRing): Promise<number> {
  const { rows } = await pool.query<{ organizationId: string }>(
    'SELECT DISTINCT organization_id AS "organizationId" FROM org_dek WHERE retired_at IS NULL',
  );
  for (const { organizationId } of rows) {
    await runInTransaction(pool, async (client) => {
      await lockDataKeys(client, organizationId);
      await client.query('UPDATE org_dek SET retired_at = now() WHERE organization_id = $1 AND retired_at IS NULL', [organizationId]);
      await insertDataKey(client, keyRing.createDataKey(organizationId));
    });
  }
  return rows.length;
}

type SealedRow = WrappedDataKey & {
  readonly recordId: string;
  readonly version: number;
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
};

const RETIRED = `SELECT c.id AS "recordId", c.version, c.nonce, c.ciphertext, c.tag, ${COLUMNS}
  FROM provider_credential c JOIN org_dek d ON d.id = c.dek_id
  WHERE d.retired_at IS NOT NULL AND c.id > $1 ORDER BY c.id LIMIT ${BATCH}`;

const ACTIVE = `SELECT ${COLUMNS} FROM org_dek d WHERE d.organization_id = $1 AND d.retired_at IS NULL ORDER BY d.created_at DESC LIMIT 1`;

async function resealSecrets(pool: Pool, keyRing: KeyRing): Promise<number> {
  let count = 0;
  let last = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await pool.query<SealedRow>(RETIRED, [last]);
    for (const row of rows) count += await resealRow(pool, keyRing, row);
    const newest = rows.at(-1);
    if (newest === undefined) return count;
    last = newest.recordId;
  }
}

/** A secret that was rotated meanwhile is left alone: it is sealed with the active data key already. */
async function resealRow(pool: Pool, keyRing: KeyRing, row: SealedRow): Promise<number> {
  const { rows } = await pool.query<WrappedDataKey>(ACTIVE, [row.organizationId]);
  const [active] = rows;
  if (active === undefined) return 0;
  const place: SecretPlace = { organizationId: row.organizationId, recordId: row.recordId, version: row.version };
  const plaintext = openSecret(row, place, keyRing.unwrap(row));
  const sealed = sealSecret(plaintext, place, { id: active.id, key: keyRing.unwrap(active) });
  const { rowCount } = await pool.query(
    `UPDATE provider_credential SET nonce = $4, ciphertext = $5, tag = $6, dek_id = $7, fingerprint = $8
     WHERE id = $1 AND dek_id = $2 AND version = $3`,
    [row.recordId, row.id, row.version, sealed.nonce, sealed.ciphertext, sealed.tag, active.id, sealed.fingerprint],
  );
  return rowCount ?? 0;
}
