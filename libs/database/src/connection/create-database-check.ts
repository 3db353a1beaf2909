import type { Pool } from 'pg';

/** A readiness check: rejects while the database cannot be asked. */
export function createDatabaseCheck({ pool }: { readonly pool: Pool }): () => Promise<null> {
  return async () => {
    await pool.query('select 1');
    return null;
  };
}
