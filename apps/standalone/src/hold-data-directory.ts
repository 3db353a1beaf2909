import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const HOLDER_FILE = 'gateway.pid';

/**
 * Takes a data directory for this process alone; two gateways on one directory would undo each other's work. What a
 * killed process left is taken over. Answers how to give it back.
 */
export function holdDataDirectory(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, HOLDER_FILE);
  const holder = findDataDirectoryHolder(dataDir);
  if (holder !== undefined) {
    throw new Error(
      `another gateway (process ${holder}) uses the data directory ${dataDir}. Stop it, or set DATA_DIR to another directory.`,
    );
  }
  writeFileSync(path, `${process.pid} ${readStartTime(process.pid)}\n`, { mode: 0o600 });
  return () => rmSync(path, { force: true });
}

/** The process that has a data directory to itself at this moment, unless it is this one. */
export function findDataDirectoryHolder(dataDir: string): number | undefined {
  const holder = readHolder(join(dataDir, HOLDER_FILE));
  return holder !== undefined && holder.pid !== process.pid && isSameProcess(holder) ? holder.pid : undefined;
}

type Holder = { readonly pid: number; readonly startTime: string };

function readHolder(path: string): Holder | undefined {
  try {
    const [pid, startTime = ''] = readFileSync(path, 'utf8').trim().split(' ');
    return Number.isInteger(Number(pid)) && Number(pid) > 0 ? { pid: Number(pid), startTime } : undefined;
  } catch {
    return undefined; // nobody holds it
  }
}

/** Process ids are given out again: a live process counts as the holder only if it started when the holder did. */
function isSameProcess({ pid, startTime }: Holder): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return readStartTime(pid) === startTime;
}

/** The kernel's start time of a process where it can be read (Linux), else empty. */
function readStartTime(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
