import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Keeps a process, with all its threads, on one core; says whether the system can do that. */
export function pinProcess(pid: number, core: number): boolean {
  if (process.platform !== 'linux' || availableParallelism() < 2) return false;
  try {
    execFileSync('taskset', ['-a', '-c', '-p', String(core), String(pid)], { stdio: 'ignore' });
    return true;
  } catch {
    // No such program here: everything shares all cores, and the check of the generator shows whether that was enough.
    return false;
  }
}
