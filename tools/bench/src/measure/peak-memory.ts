import { readFileSync } from 'node:fs';

const PEAK = /^VmHWM:\s+(\d+) kB$/m;

/** The most memory that a process has had so far, in MiB; null where the system does not report it. */
export function readPeakMebibytes(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const found = PEAK.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return found === undefined ? null : Number(found) / 1_024;
}
