import { readFileSync } from 'node:fs';

/**
 * Whether a process of this machine runs. One that has ended but that its parent has not collected (a zombie) does not:
 * in a container whose first process collects nothing it keeps its number for ever.
 */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return !/^[ZXx]$/.test(readState(pid));
}

/** The letter the kernel gives the process's state (Linux); empty where it cannot be read. */
function readState(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything, parentheses too; the state follows the last of them.
    return stat.charAt(stat.lastIndexOf(')') + 2);
  } catch {
    return '';
  }
}
