import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { syncPathNow } from './sync-folder';
import { acquireWriterLock, type WriterLock } from './writer-lock';

export type WriterFolder = { readonly writerId: string; readonly path: string; readonly lock: WriterLock };

const WRITER_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Goes on with a writer nobody uses any more, or becomes a new one. */
export function chooseWriterFolder(directory: string): WriterFolder {
  mkdirSync(directory, { recursive: true });
  for (const writerId of listWriters(directory)) {
    const adopted = adopt(directory, writerId);
    if (adopted !== undefined) return adopted;
  }
  const writerId = randomUUID();
  mkdirSync(join(directory, writerId));
  syncPathNow(directory);
  const created = adopt(directory, writerId);
  // Only if another process adopted the folder in the instant between: then there is one more free name to take.
  return created ?? chooseWriterFolder(directory);
}

/** Every writer folder that no living process holds, locked for us. */
export function adoptOrphanFolders(directory: string): WriterFolder[] {
  mkdirSync(directory, { recursive: true });
  return listWriters(directory).flatMap((writerId) => adopt(directory, writerId) ?? []);
}

function listWriters(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => WRITER_ID.test(name))
    .sort();
}

function adopt(directory: string, writerId: string): WriterFolder | undefined {
  const path = join(directory, writerId);
  try {
    const lock = acquireWriterLock(path);
    return lock === undefined ? undefined : { writerId, path, lock };
  } catch (error) {
    // Retired by its process since we listed it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
