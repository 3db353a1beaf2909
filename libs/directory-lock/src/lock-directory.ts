import { randomUUID } from 'node:crypto';
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { join } from 'node:path';

export type DirectoryLock = {
  /** A child process that is given it keeps the lock as long as the child lives, whatever becomes of this process. */
  readonly fd: number;
  /** Of the file that is locked: a process that has the lock of this id knows that every earlier holder of it has ended. */
  readonly id: string;
  /** Gives the directory back, unless a child process keeps it. The file stays: removing it would let two in. */
  release(): void;
};

/** Who took a lock, in its own words: for messages, never for decisions. */
export type LockHolder = { readonly pid: number; readonly host: string; readonly since: string };

/** `id`: of the file, as long as it is there. A copy has the same one in another place of the disk. */
type LockFile = LockHolder & { readonly id: string };

/** How systems say that the lock is taken: POSIX, some network file systems, Windows. */
const TAKEN = new Set(['EAGAIN', 'EWOULDBLOCK', 'EACCES', 'EBUSY']);

/** Made when it is not there, and never cut by a process that only tries. */
const MADE_OR_OPENED = constants.O_RDWR | constants.O_CREAT;

/**
 * Takes a directory for this process alone, or returns undefined while another has it. The kernel keeps the lock on the
 * open file (OFD locks on Linux, `flock` on macOS, `LockFileEx` on Windows): it holds between containers that share a
 * volume, and it ends with its holder, however that dies. Throws where no lock can be had: without one, two processes
 * could write the same data.
 */
export function lockDirectory(directory: string, name = 'lock'): DirectoryLock | undefined {
  const path = join(directory, name);
  for (;;) {
    const fd = openSync(path, MADE_OR_OPENED, 0o600);
    try {
      if (!tryLock(fd, path)) {
        closeSync(fd);
        return undefined;
      }
      if (isStillThere(fd, path)) return createLock(fd, `${writeHolder(fd)}/${fstatSync(fd, { bigint: true }).ino}`);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    closeSync(fd); // somebody replaced the file between opening and locking it
  }
}

/** The process that wrote the lock's file last; of use only while the lock is known to be taken. */
export function readLockHolder(directory: string, name = 'lock'): LockHolder | undefined {
  try {
    const { pid, host, since } = JSON.parse(readFileSync(join(directory, name), 'utf8')) as Partial<LockHolder>;
    return typeof pid === 'number' && typeof host === 'string' && typeof since === 'string' ? { pid, host, since } : undefined;
  } catch {
    return undefined; // not written yet, or closed to readers, as on Windows
  }
}

/** `process 12 on host a1b2 (since …)`, as far as it is known. */
export function describeLockHolder(directory: string, name = 'lock'): string {
  const holder = readLockHolder(directory, name);
  return holder === undefined ? 'another process' : `process ${holder.pid} on host ${holder.host}, since ${holder.since}`;
}

function tryLock(fd: number, path: string): boolean {
  try {
    return loadNative().tryLock(fd);
  } catch (error) {
    if (TAKEN.has((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw new Error(
      `${path} cannot be locked (${error instanceof Error ? error.message : String(error)}), so nothing would keep a second process out. ` +
        'Use a file system with POSIX locks: a local disk, a block volume, or NFS 4.',
      { cause: error },
    );
  }
}

/** What is used of the package, which carries no types: `tryLock` returns false when another open file has the lock. */
type NativeLocks = { readonly tryLock: (fd: number) => boolean };

let native: NativeLocks | undefined;

/** Loaded when first needed: a tool that locks nothing runs where the addon does not. */
function loadNative(): NativeLocks {
  try {
    return (native ??= createRequire(__filename)('fs-native-extensions') as NativeLocks);
  } catch (cause) {
    throw new Error(
      `file locks need the package fs-native-extensions, which cannot be loaded on ${process.platform}-${process.arch}; ` +
        'run npm ci, or use Linux, macOS or Windows on x64 or arm64',
      { cause },
    );
  }
}

function isStillThere(fd: number, path: string): boolean {
  const own = fstatSync(fd, { bigint: true });
  const named = statSync(path, { bigint: true });
  return own.ino === named.ino && own.dev === named.dev;
}

/** Returns the id that the file had, or was given. */
function writeHolder(fd: number): string {
  const id = readId(fd) ?? randomUUID();
  const holder: LockFile = { pid: process.pid, host: hostname(), since: new Date().toISOString(), id };
  try {
    // Written over what is there before it is cut: that takes no space of a full disk.
    ftruncateSync(fd, writeSync(fd, `${JSON.stringify(holder)}\n`, 0));
  } catch {
    // A full disk: the lock holds all the same, only its holder stays unnamed.
  }
  return id;
}

function readId(fd: number): string | undefined {
  const text = Buffer.alloc(4_096);
  try {
    const { id } = JSON.parse(text.toString('utf8', 0, readSync(fd, text, 0, text.length, 0))) as Partial<LockFile>;
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined; // new, or of an earlier version
  }
}

function createLock(fd: number, id: string): DirectoryLock {
  let isHeld = true;
  return {
    ...{ fd, id },
    release: () => {
      if (!isHeld) return;
      isHeld = false;
      closeSync(fd);
    },
  };
}
