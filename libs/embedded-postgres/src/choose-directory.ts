import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProgramUser } from './run-program';
import { isReachable } from './unprivileged-user';

const SYSTEM_FOLDER = '/var/lib/weir-postgres';
const LOCATION_FILE = 'location';

/**
 * Where the data can really live. Root's own folders (such as /root) are closed to the user Postgres runs as; data
 * wanted there goes to a lasting folder of the system. Which one stands in a file at the wanted place, so that removing
 * that place starts afresh instead of bringing an old database back.
 */
export async function chooseDirectory(wanted: string, user: ProgramUser, log: (message: string) => void): Promise<string> {
  if (await isReachable(wanted, user)) return wanted;
  const chosen = await readOrMakeLocation(wanted);
  log(`Postgres cannot run as root and no other user may enter ${wanted}: the data is in ${chosen}`);
  return chosen;
}

async function readOrMakeLocation(wanted: string): Promise<string> {
  const file = join(wanted, LOCATION_FILE);
  const known = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (known !== undefined) return known.trim();
  const chosen = join(SYSTEM_FOLDER, randomUUID());
  await mkdir(wanted, { recursive: true });
  await writeFile(file, `${chosen}\n`, { mode: 0o600 });
  return chosen;
}
