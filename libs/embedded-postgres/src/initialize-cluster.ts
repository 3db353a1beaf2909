import { randomBytes } from 'node:crypto';
import { appendFile, chmod, chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PostgresBinaries } from './locate-binaries';
import { runProgram, type ProgramUser } from './run-program';

export const SUPERUSER = 'weir';
const PASSWORD_FILE = 'weir.password';
const DATABASES_FILE = 'weir.databases';
const ASIDE = 'initializing-';

export type Cluster = {
  readonly binaries: PostgresBinaries;
  readonly user: ProgramUser;
  /** The folder that holds `data` and the log. */
  readonly directory: string;
  readonly dataDirectory: string;
  /** False skips waiting for the disk: for tests, whose data no one misses. */
  readonly isDurable: boolean;
  /** Called when one of its programs was started: until that has done its work, this process has time for other things. */
  readonly onBegun: () => void;
};

/** A cluster that this process alone works on, and the open file by which the lock on it is passed on. */
export type LockedCluster = Cluster & { readonly lockFd: number };

/** Makes the cluster unless it is there. Made aside and renamed: a run that was killed leaves nothing half-made. */
export async function initializeCluster(cluster: LockedCluster): Promise<void> {
  if (await exists(join(cluster.dataDirectory, 'PG_VERSION'))) return;
  await removeAbandoned(cluster.directory);
  const aside = join(cluster.directory, `${ASIDE}${randomBytes(4).toString('hex')}`);
  await mkdir(aside, { mode: 0o700 });
  const data = join(aside, 'data');
  const passwordFile = join(aside, PASSWORD_FILE);
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  await mkdir(data, { mode: 0o700 });
  for (const path of [passwordFile, data, aside]) await give(path, cluster.user);
  const { binaries, user, lockFd, onBegun } = cluster;
  const args = ['-D', data, '-U', SUPERUSER, '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8', '--locale=C'];
  if (!cluster.isDurable) args.push('--no-sync');
  try {
    await runProgram({ program: binaries.initdb, args, user, cwd: aside, lockFd, onBegun });
    await rename(passwordFile, join(data, PASSWORD_FILE));
    await rename(data, cluster.dataDirectory);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** Only the process with the lock makes the cluster: what others began is left over. */
async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name.startsWith(ASIDE)) await rm(join(directory, name), { recursive: true, force: true });
  }
}

export async function readPassword(dataDirectory: string): Promise<string> {
  return (await readFile(join(dataDirectory, PASSWORD_FILE), 'utf8')).trim();
}

/** Whether this library has made the database; no connection is needed to know. */
export async function hasDatabase(dataDirectory: string, name: string): Promise<boolean> {
  const list = await readFile(join(dataDirectory, DATABASES_FILE), 'utf8').catch(() => '');
  return list.split('\n').includes(name);
}

/** Makes the database in a cluster that is not running, by the single-user mode: no client, no password. */
export async function createDatabase(cluster: LockedCluster, name: string): Promise<void> {
  const { binaries, user, dataDirectory, lockFd } = cluster;
  const args = ['--single', '-D', dataDirectory, ...(cluster.isDurable ? [] : ['-c', 'fsync=off']), 'postgres'];
  const input = `CREATE DATABASE "${name}"\n`;
  const output = await runProgram({ program: binaries.postgres, args, user, cwd: dataDirectory, input, lockFd });
  // Single-user mode ends with 0 even when the statement failed.
  if (/\bERROR:/.test(output) && !output.includes('already exists'))
    throw new Error(`The database ${name} could not be created: ${output.trim()}`);
  const list = join(dataDirectory, DATABASES_FILE);
  await appendFile(list, `${name}\n`, { mode: 0o600 });
  await give(list, user);
}

async function give(path: string, user: ProgramUser): Promise<void> {
  if (user === undefined) return;
  await chown(path, user.uid, user.gid);
  if ((await stat(path)).isFile()) await chmod(path, 0o600);
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
