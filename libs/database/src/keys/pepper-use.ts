import { pepperVersion, type KeyPeppers } from '@weir/access';
import type { Pool } from 'pg';

/** How many secrets that are in force can be found under one pepper alone. */
export type PepperUse = {
  /** Which pepper: `pepperVersion` of `@weir/access`. */
  readonly version: number;
  readonly keys: number;
  /** Secrets that were rotated and go on until their overlap ends. */
  readonly overlaps: number;
  readonly lastOverlapEndsAt: Date | null;
};

const READ = `WITH usable AS (
    SELECT CASE
        WHEN pepper_version = $1 OR (former_hash IS NOT NULL AND former_pepper_version = $1) THEN $1
        WHEN former_hash IS NOT NULL AND former_pepper_version = $2 THEN $2
        ELSE pepper_version END AS pepper_version,
      previous_pepper_version, previous_hash, previous_hash_expires_at FROM api_key
    WHERE status = 'active' AND (expires_at IS NULL OR expires_at > now())),
  secrets AS (
    SELECT pepper_version AS version, NULL::timestamptz AS ends_at FROM usable
    UNION ALL
    SELECT coalesce(previous_pepper_version, 1), previous_hash_expires_at FROM usable
    WHERE previous_hash IS NOT NULL AND previous_hash_expires_at > now())
  SELECT version, count(*) FILTER (WHERE ends_at IS NULL)::int AS keys, count(ends_at)::int AS overlaps, max(ends_at) AS "lastOverlapEndsAt"
  FROM secrets GROUP BY version ORDER BY version`;

/**
 * Peppers that secrets in force hang on. A key that was used since its pepper was replaced hangs on the new one; one that
 * can be found under several, on the first that these settings have.
 */
export async function readPepperUse(pool: Pool, { current, previous }: KeyPeppers): Promise<readonly PepperUse[]> {
  const values = [pepperVersion(current), previous === undefined ? null : pepperVersion(previous)];
  const { rows } = await pool.query<PepperUse>(READ, values);
  return rows;
}

/** Deletes the former hashes of keys that are stored under `version` by now. Returns of how many keys. */
export async function forgetFormerHashes(pool: Pool, version: number): Promise<number> {
  const { rowCount } = await pool.query(
    'UPDATE api_key SET former_hash = NULL, former_pepper_version = NULL WHERE former_hash IS NOT NULL AND pepper_version = $1',
    [version],
  );
  return rowCount ?? 0;
}
