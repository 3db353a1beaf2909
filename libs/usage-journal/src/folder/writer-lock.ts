import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type WriterLock = { release(): void };

type Holder = { readonly pid: number; readonly startedAt: string; readonly token: string };

const NAME = 'lock';

/**
 * Takes the lock of a writer's folder, or answers undefined when a living process has it. A lock left by a process that
 * is gone is taken over. It appears under its name only when it is fully written, so nobody ever reads half of one.
 */
export function acquireWriterLock(folder: string): WriterLock | undefined {
  const path = join(folder, NAME);
  const token = randomUUID();
  const own: Holder = { pid: process.pid, startedAt: describeStart(process.pid), token };
  if (!createLock(path, own) && !(removeStale(path) && createLock(path, own))) return undefined;
  return {
    release: () => {
      if (readHolder(path)?.token === token) rmSync(path, { force: true });
    },
  };
}

function createLock(path: string, own: Holder): boolean {
  const draft = `${path}.${own.token}`;
  writeFileSync(draft, JSON.stringify(own));
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Answers true when the way is free. Two processes may try at once: whoever moved a fresh lock away puts it back. */
function removeStale(path: string): boolean {
  const holder = readHolder(path);
  if (holder !== undefined && isAlive(holder)) return false;
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch {
    return true; // gone already
  }
  const moved = readHolder(aside);
  const isStale = moved?.token === holder?.token;
  if (!isStale) linkBack(aside, path);
  rmSync(aside, { force: true });
  return isStale;
}

function linkBack(aside: string, path: string): void {
  try {
    linkSync(aside, path);
  } catch {
    // A third process has it by now; that one is alive, which is all that matters.
  }
}

function readHolder(path: string): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8')) as Partial<Holder>;
    const { pid, startedAt, token } = holder;
    if (typeof pid !== 'number' || typeof startedAt !== 'string' || typeof token !== 'string') return undefined;
    return { pid, startedAt, token };
  } catch {
    return undefined; // unreadable: nobody who lives wrote it
  }
}

/** A process number alone proves nothing: in a container the next life often gets the same one. */
function isAlive(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const startedAt = describeStart(holder.pid);
  return startedAt === '' || holder.startedAt === '' || startedAt === holder.startedAt;
}

/** When a process started, in the kernel's own words; empty where the kernel does not tell. */
function describeStart(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything; the start time is the twentieth field after it.
    const startTime = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return startTime === undefined ? '' : `${boot}:${startTime}`;
  } catch {
    return '';
  }
}
