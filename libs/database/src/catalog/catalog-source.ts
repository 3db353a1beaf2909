import type { CatalogMark, CatalogSource } from '@weir/model-catalog';
import type { Pool } from 'pg';
import { ANSWER_TIMEOUT_MS } from '../postgres/statement-timeout';

const NEWEST = {
  name: 'weir-catalog-newest',
  text: 'SELECT id::int AS id, digest FROM catalog_version ORDER BY id DESC LIMIT 1',
  query_timeout: ANSWER_TIMEOUT_MS,
};

const STATE = 'SELECT id::int AS id, digest, document, sheets FROM catalog_version';
const READ_NEWEST = { text: `${STATE} ORDER BY id DESC LIMIT 1`, query_timeout: ANSWER_TIMEOUT_MS };
const READ_ONE = { text: `${STATE} WHERE id = $1`, query_timeout: ANSWER_TIMEOUT_MS };
const READ_BEFORE = { text: `${STATE} WHERE id < $1 ORDER BY id DESC LIMIT 1`, query_timeout: ANSWER_TIMEOUT_MS };

/** The versions of the catalogue, where they are kept. What is read is as it was written: readers check it. */
export function createCatalogSource(pool: Pool): Required<CatalogSource> & { readVersion(id: number): Promise<unknown> } {
  return {
    newest: async () => (await pool.query<CatalogMark>(NEWEST)).rows[0],
    read: async () => (await pool.query<object>(READ_NEWEST)).rows[0],
    readVersion: async (id) => (await pool.query<object>({ ...READ_ONE, values: [id] })).rows[0],
    readBefore: async (id) => (await pool.query<object>({ ...READ_BEFORE, values: [id] })).rows[0],
  };
}
