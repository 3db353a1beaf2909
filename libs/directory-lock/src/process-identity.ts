import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isProcessAlive } from './is-process-alive';
import type { DirectoryLock } from './lock-directory';

/** What a process writes down of itself where others see it, so that they can know that it has ended. */
export type ProcessIdentity = {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
  /** The run of the machine: another one after it was started again. */
  readonly machine: string;
  /** In which numbers of processes are counted, and when this one began: its number is given out again. Null where the system says neither. */
  readonly begun: string | null;
  /** Of the directory that it has; null where it has none. */
  readonly lock: string | null;
};

/** So long without a sign of life, one whose directory was moved to another machine has ended. */
const MOVED_MS = 15_000;

/** `lock`: of the directory that the process has for itself. */
export function identifyProcess(lock?: Pick<DirectoryLock, 'id'>): ProcessIdentity {
  const { pid } = process;
  const since = new Date().toISOString();
  return { pid, host: hostname(), since, machine: readMachine(), begun: readBegun(pid), lock: lock?.id ?? null };
}

/**
 * Whether a process that was silent for so long has certainly ended: it ran on this machine and runs no more, or `self` has the lock
 * that it had. A machine that was copied has a copy of the lock as well: there, silence has to say the same.
 */
export function isKnownToHaveEnded(
  other: Partial<Record<keyof ProcessIdentity, unknown>>,
  self: ProcessIdentity,
  silentMs: number,
): boolean {
  const isHere = other.machine === self.machine;
  if (self.lock !== null && other.lock === self.lock && (isHere || silentMs > MOVED_MS)) return true;
  if (!isHere || self.begun === null || typeof other.begun !== 'string' || typeof other.pid !== 'number') return false;
  if (spaceOf(other.begun) !== spaceOf(self.begun)) return false;
  const begun = readBegun(other.pid);
  return !isProcessAlive(other.pid) || (begun !== null && begun !== other.begun);
}

function readMachine(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return hostname(); // no Linux
  }
}

/** The space of process numbers, and the tick of the machine at which the process began. */
function readBegun(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything; the 20th field behind it is when the process began.
    const tick = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return tick === undefined ? null : `${readlinkSync('/proc/self/ns/pid')} ${tick}`;
  } catch {
    return null;
  }
}

function spaceOf(begun: string): string {
  return begun.slice(0, begun.lastIndexOf(' '));
}
