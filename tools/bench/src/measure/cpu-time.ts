import { readdirSync, readFileSync } from 'node:fs';

/** Kernel clock ticks are 10 ms on every Linux that Node runs on. */
const TICK_MICROSECONDS = 10_000;

type CpuTime = { readonly ownMicroseconds: number; readonly childrenMicroseconds: number };

type Stat = { readonly parent: number; readonly microseconds: number };

/** CPU used so far by a process and by everything it started; null where the system does not report it. */
export function readCpuTime(pid: number): CpuTime | null {
  if (process.platform !== 'linux') return null;
  const own = readStat(pid);
  if (own === undefined) return null;
  return { ownMicroseconds: own.microseconds, childrenMicroseconds: sumDescendants(pid) };
}

function readStat(pid: number): Stat | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // Processes end while the list is read; one that is gone has nothing to add.
    return undefined;
  }
}

/** The name in parentheses may hold spaces and parentheses itself, so fields are counted after the last one. */
export function parseStat(text: string): Stat {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return { parent: Number(fields[1]), microseconds: ticks * TICK_MICROSECONDS };
}

function sumDescendants(pid: number): number {
  const stats = new Map<number, Stat>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : undefined;
    if (stat !== undefined) stats.set(Number(name), stat);
  }
  let sum = 0;
  for (const [child, stat] of stats) if (isDescendant(child, pid, stats)) sum += stat.microseconds;
  return sum;
}

function isDescendant(child: number, ancestor: number, stats: ReadonlyMap<number, Stat>): boolean {
  for (let at = stats.get(child)?.parent; at !== undefined && at > 1; at = stats.get(at)?.parent) {
    if (at === ancestor) return true;
  }
  return false;
}
