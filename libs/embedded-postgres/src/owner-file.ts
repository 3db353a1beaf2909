import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cluster } from './initialize-cluster';
import { isAlive } from './postmaster-file';

/** Which process will stop the server: one that merely found it running must not take it from under the other. */
export async function readOwner(cluster: Cluster): Promise<number | undefined> {
  const pid = Number(await readFile(ownerFile(cluster), 'utf8').catch(() => ''));
  return pid > 0 && pid !== process.pid && (await isAlive(pid)) ? pid : undefined;
}

export async function writeOwner(cluster: Cluster): Promise<void> {
  await writeFile(ownerFile(cluster), String(process.pid));
}

function ownerFile(cluster: Cluster): string {
  return join(cluster.directory, 'owner.pid');
}
