import { chown, lstat, readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { ProgramUser } from './run-program';

/** `no one`: exists everywhere, owns nothing. */
const UNKNOWN_ID = { uid: 65_534, gid: 65_534 };

/** Postgres refuses to run as root, so root hands it to `no one`. */
export function findProgramUser(): ProgramUser {
  return process.getuid?.() === 0 ? UNKNOWN_ID : undefined;
}

/** Whether the user may enter every folder on the way to `path` (folders that do not exist yet are ours to make). */
export async function isReachable(path: string, user: ProgramUser): Promise<boolean> {
  if (user === undefined) return true;
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    const found = await stat(folder).catch(() => undefined);
    if (found?.isDirectory() === true && found.uid !== user.uid && (found.mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** Gives a folder and everything in it to the user; does nothing when the folder is the user's already. */
export async function giveTo(folder: string, user: ProgramUser): Promise<void> {
  if (user === undefined || (await stat(folder)).uid === user.uid) return;
  await giveTree(folder, user);
}

async function giveTree(path: string, user: { uid: number; gid: number }): Promise<void> {
  if ((await lstat(path)).isDirectory()) {
    for (const name of await readdir(path)) await giveTree(join(path, name), user);
  }
  // The folder itself last: an interrupted run starts over.
  if (!(await lstat(path)).isSymbolicLink()) await chown(path, user.uid, user.gid);
}
