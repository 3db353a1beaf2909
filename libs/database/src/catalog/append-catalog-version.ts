import { GatewayError } from '@weir/errors';
import type { ArchivedSheet, CatalogDocument } from '@weir/model-catalog';
import type { Pool, PoolClient } from 'pg';
import { runInTransaction } from '../postgres/run-in-transaction';

export type NewCatalogVersion = {
  /** The version that this one was planned to follow; undefined: there was none. */
  readonly follows: number | undefined;
  readonly actor: string;
  readonly note?: string | undefined;
  /** Of a rollback: whose document it is. */
  readonly restores?: number | undefined;
  readonly document: CatalogDocument;
  readonly sheets: readonly ArchivedSheet[];
  readonly digest: string;
};

/** Any number no one else locks. */
const CATALOG_LOCK = 5_714_023;

const INSERT = `INSERT INTO catalog_version (id, actor, note, restores, document, sheets, digest)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;

/** Adds a version and returns its number. Throws `conflict` where another one has come first: what was looked at is not what it would change. */
export function appendCatalogVersion(pool: Pool, version: NewCatalogVersion): Promise<number> {
  return runInTransaction(pool, (client) => appendCatalogVersionIn(client, version));
}

/** The same in a transaction that does more; call it last, writers wait for each other here. */
export async function appendCatalogVersionIn(client: PoolClient, version: NewCatalogVersion): Promise<number> {
  await client.query('SELECT pg_advisory_xact_lock($1::bigint)', [CATALOG_LOCK]);
  const { rows } = await client.query<{ id: number }>('SELECT coalesce(max(id), 0)::int AS id FROM catalog_version');
  const newest = rows[0]?.id ?? 0;
  if (newest !== (version.follows ?? 0)) {
    throw new GatewayError('conflict', `The catalogue was changed meanwhile: its version is ${newest} now. Look at the difference again.`);
  }
  const { actor, note = null, restores = null, document, sheets, digest } = version;
  await client.query(INSERT, [newest + 1, actor, note, restores, JSON.stringify(document), JSON.stringify(sheets), digest]);
  return newest + 1;
}
