import { randomBytes } from 'node:crypto';
import { appendFile, chmod, chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PostgresBinaries } from './locate-binaries';
import { isAlive } from './postmaster-file';
import { runProgram, type ProgramUser } from './run-program';

export const SUPERUSER = 'weir';
const PASSWORD_FILE = 'weir.password';
const DATABASES_FILE = 'weir.databases';

export type Cluster = {
  readonly binaries: PostgresBinaries;
  readonly user: ProgramUser;
  /** The folder that holds `data` and the log. */
  readonly directory: string;
  readonly dataDirectory: string;
  /** False skips waiting for the disk: for tests, whose data nobody misses. */
  readonly isDurable: boolean;
};

/** Makes the cluster unless it is there. Made aside and renamed: a run that was killed leaves nothing half-made. */
export async function initializeCluster(cluster: Cluster): Promise<void> {
  if (await exists(join(cluster.dataDirectory, 'PG_VERSION'))) return;
  await removeAbandoned(cluster.directory);
  const aside = join(cluster.directory, `initializing-${process.pid}-${randomBytes(4).toString('hex')}`);
  await mkdir(aside, { mode: 0o700 });
  const data = join(aside, 'data');
  const passwordFile = join(aside, PASSWORD_FILE);
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  await mkdir(data, { mode: 0o700 });
  for (const path of [passwordFile, data, aside]) await give(path, cluster.user);
  const args = ['-D', data, '-U', SUPERUSER, '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8', '--locale=C'];
  if (!cluster.isDurable) args.push('--no-sync');
  try {
    await runProgram({ program: cluster.binaries.initdb, args, user: cluster.user, cwd: aside });
    await rename(passwordFile, join(data, PASSWORD_FILE));
    await rename(data, cluster.dataDirectory);
  } catch (error) {
    // Two runs may make the cluster at once; the first rename wins, and its cluster is as good as ours.
    if (!(await exists(join(cluster.dataDirectory, 'PG_VERSION')))) throw error;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const pid = Number(/^initializing-(\d+)-/.exec(name)?.[1]);
    if (pid > 0 && !(await isAlive(pid))) await rm(join(directory, name), { recursive: true, force: true });
  }
}

export async function readPassword(dataDirectory: string): Promise<string> {
  return (await readFile(join(dataDirectory, PASSWORD_FILE), 'utf8')).trim();
}

/** Whether this room has made the database; no connection is needed to know. */
export async function hasDatabase(dataDirectory: string, name: string): Promise<boolean> {
  const list = await readFile(join(dataDirectory, DATABASES_FILE), 'utf8').catch(() => '');
  return list.split('\n').includes(name);
}

/** Makes the database in a cluster that is not running, by the single-user mode: no client, no password. */
export async function createDatabase(cluster: Cluster, name: string): Promise<void> {
  const { binaries, user, dataDirectory } = cluster;
  const args = ['--single', '-D', dataDirectory, ...(cluster.isDurable ? [] : ['-c', 'fsync=off']), 'postgres'];
  const output = await runProgram({ program: binaries.postgres, args, user, cwd: dataDirectory, input: `CREATE DATABASE "${name}"\n` });
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
