import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The address of the embedded Postgres of a running gateway, as its own files say. */
export function findDatabase(dataDir: string): string {
  const folder = join(dataDir, 'postgres');
  const place = existsSync(join(folder, 'location')) ? readFileSync(join(folder, 'location'), 'utf8').trim() : folder;
  const data = join(place, 'data');
  const port = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[3]?.trim() ?? '';
  const password = readFileSync(join(data, 'weir.password'), 'utf8').trim();
  return `postgresql://weir:${encodeURIComponent(password)}@127.0.0.1:${port}/weir`;
}
