import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';

/** The most that are started unless more are asked for: each keeps connections to Postgres. */
const AUTOMATIC_MAX = 16;
/** One beside the books does more for each request than one process that does everything, and serves no more of them. */
const AUTOMATIC_MIN = 2;
/** For the books and for each gateway, under load, with the supervisor and Postgres beside them. */
const BYTES_EACH = 640 * 1024 ** 2;

export type Machine = {
  readonly platform: NodeJS.Platform;
  /** That this program may use. */
  readonly cores: number;
  readonly memoryBytes: number;
};

/**
 * How many gateways run beside the process that keeps the books; null where one process is to do everything. One core is left
 * for the books and the database, and so is memory; where that leaves one gateway, one process does everything.
 */
export function countGateways(asked: 'auto' | number, { platform, cores, memoryBytes }: Machine): number | null {
  // Connections can be handed on to other processes everywhere else.
  if (platform === 'win32' || asked === 1) return null;
  if (asked !== 'auto') return asked;
  const fitting = Math.min(AUTOMATIC_MAX, cores - 1, Math.floor(memoryBytes / BYTES_EACH) - 1);
  return fitting < AUTOMATIC_MIN ? null : fitting;
}

/** A container may use less than its machine has. */
export function readMachine(): Machine {
  const constrained = process.constrainedMemory();
  const total = totalmem();
  return {
    platform: process.platform,
    cores: Math.min(availableParallelism(), readCoreQuota(readQuotaFile())),
    memoryBytes: constrained > 0 ? Math.min(constrained, total) : total,
  };
}

/** How many cores a control group may use: `quota period`, or `max period` for as many as there are. */
export function readCoreQuota(text: string): number {
  const [quota, period] = text.trim().split(' ').map(Number);
  const cores = Math.floor((quota ?? NaN) / (period ?? NaN));
  return Number.isFinite(cores) ? Math.max(1, cores) : Infinity;
}

/** Node knows of it itself only in later versions. */
function readQuotaFile(): string {
  try {
    return readFileSync('/sys/fs/cgroup/cpu.max', 'utf8');
  } catch {
    return ''; // no Linux, or control groups of the first version
  }
}
