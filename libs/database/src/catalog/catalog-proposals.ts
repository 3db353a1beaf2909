import { GatewayError } from '@weir/errors';
import type { Pool } from 'pg';
import { runInTransaction } from '../postgres/run-in-transaction';
import { appendCatalogVersionIn, type NewCatalogVersion } from './append-catalog-version';

export type NewProposal = {
  readonly actor: string;
  readonly source: string;
  readonly format: string;
  readonly changes: readonly unknown[];
};

export type CatalogProposalRow = {
  readonly id: number;
  readonly createdAt: Date;
  readonly actor: string;
  readonly source: string;
  readonly format: string;
  readonly changes: readonly unknown[];
  readonly outcome: 'accepted' | 'dismissed' | null;
  readonly settledAt: Date | null;
  readonly settledBy: string | null;
};

const ADD = 'INSERT INTO catalog_proposal (actor, source, format, changes) VALUES ($1, $2, $3, $4) RETURNING id::int AS id';
const COLUMNS = `id::int AS id, created_at AS "createdAt", actor, source, format, changes, outcome, settled_at AS "settledAt",
  settled_by AS "settledBy"`;
const FIND = `SELECT ${COLUMNS} FROM catalog_proposal WHERE id = $1`;
const LIST = `SELECT ${COLUMNS} FROM catalog_proposal WHERE settled_at IS NULL ORDER BY id LIMIT 100`;
const SETTLE = `UPDATE catalog_proposal SET settled_at = now(), settled_by = $2, outcome = $3, catalog_version_id = $4
  WHERE id = $1 AND settled_at IS NULL`;

export async function addCatalogProposal(pool: Pool, { actor, source, format, changes }: NewProposal): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(ADD, [actor, source, format, JSON.stringify(changes)]);
  return rows[0]?.id ?? 0;
}

/** Those that wait, the oldest first. */
export async function listCatalogProposals(pool: Pool): Promise<CatalogProposalRow[]> {
  return (await pool.query<CatalogProposalRow>(LIST)).rows;
}

export async function findCatalogProposal(pool: Pool, id: number): Promise<CatalogProposalRow | undefined> {
  return (await pool.query<CatalogProposalRow>(FIND, [id])).rows[0];
}

/** Makes a version of a proposal, once: both are written, or neither. Returns the version's number. */
export function acceptCatalogProposal(pool: Pool, id: number, version: NewCatalogVersion): Promise<number> {
  return runInTransaction(pool, async (client) => {
    const added = await appendCatalogVersionIn(client, version);
    const { rowCount } = await client.query(SETTLE, [id, version.actor, 'accepted', added]);
    if (rowCount !== 1) throw new GatewayError('conflict', `The proposal ${id} does not wait any more.`);
    return added;
  });
}

/** False where none of that number waits. */
export async function dismissCatalogProposal(pool: Pool, id: number, actor: string): Promise<boolean> {
  return (await pool.query(SETTLE, [id, actor, 'dismissed', null])).rowCount === 1;
}
