import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ProgramUser } from './run-program';
import { isReachable } from './unprivileged-user';

/**
 * Where the data can really live. Root's own folders (such as /root) are closed to the user Postgres runs as; data
 * wanted there goes to a lasting folder of the system, one for each wanted path.
 */
export async function chooseDirectory(wanted: string, user: ProgramUser, log: (message: string) => void): Promise<string> {
  if (await isReachable(wanted, user)) return wanted;
  const name = createHash('sha256').update(wanted).digest('hex').slice(0, 16);
  const chosen = join('/var/lib/weir-postgres', name);
  log(`Postgres cannot run as root and no other user may enter ${wanted}: the data is in ${chosen}`);
  return chosen;
}
