import type { JournalLog } from '../ports/journal-log';
import type { DirectoryLock } from '@weir/directory-lock';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { NODE_FILES, type JournalFiles } from './journal-files';

export type WriterFolder = {
  readonly writerId: string;
  readonly path: string;
  readonly lock: DirectoryLock;
  /** Made by this process: nothing was ever in it. */
  readonly isNew: boolean;
  /** The disk that it is on. */
  readonly files: JournalFiles;
};

export const WRITER_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Ends of names of folders that are not there yet, or not there any more. */
const LOCK = 'lock';
const COMING = '.new';
const GOING = '.retired';

/**
 * A folder of a writer that never was before. A process never goes on with another's sequence: that the files on disk are
 * the latest ones cannot be seen from them, and a sequence that is given out twice is dropped as a repeat.
 */
export function createWriterFolder(directory: string, files = NODE_FILES, writerId: string = randomUUID()): WriterFolder {
  files.makePrivateDirectory(directory);
  const path = join(directory, writerId);
  files.makePrivateDirectory(path + COMING);
  // Locked before it has a name that others look for, so that no one adopts it in between.
  const lock = files.lockDirectory(path + COMING, LOCK);
  if (lock === undefined) throw new Error(`${path + COMING} was locked by another process the moment it was made`);
  files.renameSync(path + COMING, path);
  files.syncPathNow(directory);
  return { writerId, path, lock, isNew: true, files };
}

/** Every writer folder that no living process holds, locked for us. */
export function adoptOrphanFolders(directory: string, files = NODE_FILES, log?: JournalLog): WriterFolder[] {
  files.makePrivateDirectory(directory);
  for (const name of files.readdirSync(directory)) if (name.endsWith(GOING)) files.rmSync(join(directory, name));
  return listWriters(directory, files, log).flatMap((writerId) => adoptFolder(directory, writerId, files) ?? []);
}

/** The writers that have a folder, living and dead. What has a writer's name and is no folder is passed over, and named in the log. */
export function listWriters(directory: string, files = NODE_FILES, log?: Pick<JournalLog, 'warn'>): string[] {
  files.makePrivateDirectory(directory);
  const named = files.readdirSync(directory).filter((name) => WRITER_ID.test(name));
  return named.sort().filter((name) => {
    const path = join(directory, name);
    const isFolder = files.statSync(path)?.isDirectory() === true;
    if (!isFolder) log?.warn({ path }, 'a file has the name of a usage journal and is none: it is passed over');
    return isFolder;
  });
}

/** Out of sight first, so that no one adopts a folder that is half removed. */
export function removeWriterFolder({ path, lock, files }: WriterFolder): void {
  files.renameSync(path, path + GOING);
  files.rmSync(path + GOING);
  lock.release();
}

/** For a folder whose files somebody removed: the lock we have is on a file without a name. */
export function lockAgain(folder: WriterFolder): WriterFolder {
  if (folder.files.existsSync(join(folder.path, LOCK))) return folder;
  const lock = folder.files.lockDirectory(folder.path, LOCK);
  if (lock === undefined) throw new Error(`${folder.path} was emptied and is locked by another process`);
  folder.lock.release();
  return { ...folder, lock };
}

/** The folder of one writer, locked for us; undefined while a living process holds it, or when it is gone. */
export function adoptFolder(directory: string, writerId: string, files = NODE_FILES): WriterFolder | undefined {
  const path = join(directory, writerId);
  try {
    const lock = files.lockDirectory(path, LOCK);
    if (lock === undefined) return undefined;
    files.makePrivateDirectory(path);
    return { writerId, path, lock, isNew: false, files };
  } catch (error) {
    // Retired by its process since we listed it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
