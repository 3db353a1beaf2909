import type { Pool } from 'pg';

export type CatalogVersionRow = {
  readonly id: number;
  readonly createdAt: Date;
  readonly actor: string;
  readonly note: string | null;
  readonly restores: number | null;
  readonly digest: string;
  /** How much the installation changes: models and providers it brings, models it leaves out. */
  readonly models: number;
  readonly removed: number;
  readonly providers: number;
};

const LIST = `SELECT id::int AS id, created_at AS "createdAt", actor, note, restores::int AS restores, digest,
    jsonb_array_length(document -> 'models') AS models,
    jsonb_array_length(document -> 'removed') AS removed,
    jsonb_array_length(document -> 'providers') AS providers
  FROM catalog_version ORDER BY id DESC LIMIT $1`;

/** Versions of the catalogue, the newest first. */
export async function listCatalogVersions(pool: Pool, limit: number): Promise<CatalogVersionRow[]> {
  return (await pool.query<CatalogVersionRow>(LIST, [limit])).rows;
}
