import type { QueryResult } from 'pg';
import type { DatabaseLog } from '../postgres/database-log';

/**
 * Which rows this version knows how to read. A version that writes what the one before would pass over, or take for something
 * else, knows the next number, and the version behind it has a migration that raises `required` in `data_format` to that number:
 * so versions of a rolling upgrade, one apart, both start.
 */
export const DATA_FORMAT = 1;

type FormatRules = {
  /** The format that this version knows. */
  readonly known?: number;
  /** Starts all the same, with a warning. */
  readonly isNewerAllowed?: boolean | undefined;
  readonly log: DatabaseLog;
};

type Reading = { query(text: string): Promise<QueryResult<{ required: number }>> };

/** Throws where only a later version may use this database. One of before there were formats may be used by every version. */
export async function checkDataFormat(client: Reading, { known = DATA_FORMAT, isNewerAllowed = false, log }: FormatRules): Promise<void> {
  const { rows: tables } = await client.query(`SELECT 1 AS required WHERE to_regclass('data_format') IS NOT NULL`);
  if (tables.length === 0) return;
  const { rows } = await client.query('SELECT max(required) AS required FROM data_format');
  const required = rows[0]?.required ?? 0;
  if (required <= known) return;
  const found = `the database has data that versions of Weir read from format ${required} on, and this version knows format ${known}`;
  if (!isNewerAllowed)
    throw new Error(
      `${found}: it would ignore limits and pass over usage. Start the version that used this database last, or a later one; ` +
        'to go back, restore a backup of before the upgrade. NEWER_DATA_ALLOWED=true starts all the same',
    );
  log.warn({ required, known }, `${found}; NEWER_DATA_ALLOWED lets it start: what it does not know is ignored, limits among it`);
}
