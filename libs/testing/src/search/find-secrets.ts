import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '@weir/database';

/** What a secret may look like in a dump: as it is, as hex, and as base64 of either alphabet wherever in it it begins. */
export function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const base64 = [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // Characters that also hold bits of what stands before or after the secret are left out.
    const text = encoded.slice(offset === 0 ? 0 : offset + 1, (offset + bytes.length) % 3 === 0 ? undefined : -1);
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [secret, hex, hex.toUpperCase(), ...new Set(base64)];
}

/** The secrets that are somewhere in the text, in whatever spelling. */
export function findSecrets(text: string | Buffer, secrets: Iterable<string>): string[] {
  return [...secrets].filter((secret) => spellingsOf(secret).some((spelling) => text.includes(spelling)));
}

/** Every row of every table, as text; bytes are hex. */
export async function dumpDatabase({ pool }: Database): Promise<{ tables: string[]; text: string }> {
  const { rows } = await pool.query<{ name: string }>(
    "select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  const tables = rows.map(({ name }) => name);
  const dumps: string[] = [];
  for (const table of tables) {
    const { rows: lines } = await pool.query<{ line: string }>(`select t::text as line from ${table} t`);
    dumps.push(...lines.map(({ line }) => `${table} ${line}`));
  }
  return { tables, text: dumps.join('\n') };
}

/** The files of the database and the write-ahead log; none where the server's files are out of reach. */
export async function readDatabaseFiles({ pool }: Database): Promise<Buffer[]> {
  await pool.query('checkpoint');
  const { rows } = await pool.query<{ directory: string; oid: string }>(
    "select current_setting('data_directory') as directory, oid::text from pg_database where datname = current_database()",
  );
  const [{ directory, oid }] = rows as [{ directory: string; oid: string }];
  const files = await Promise.all([join(directory, 'base', oid), join(directory, 'pg_wal')].map(listFiles));
  return Promise.all(files.flat().map((path) => readFile(path).catch(() => Buffer.alloc(0))));
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
}
