import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { parseStat } from '../measure/cpu-time';

/** CPU nanoseconds used so far by each process of some trees; of none where the system does not report it. */
export type ProcessTimes = ReadonlyMap<number, number>;

export function readProcessTimes(roots: readonly number[]): ProcessTimes {
  return new Map(listTree(roots).map((pid) => [pid, readThreads(pid)]));
}

/** Microseconds used from one reading to the next; of all processes, or of those that are named. */
export function usedMicroseconds(from: ProcessTimes, to: ProcessTimes, only?: ReadonlySet<number>): number {
  let sum = 0;
  for (const [pid, time] of to) if (only === undefined || only.has(pid)) sum += time - (from.get(pid) ?? 0);
  return sum / 1_000;
}

/** These processes and all that they started. */
export function listTree(roots: readonly number[]): number[] {
  if (process.platform !== 'linux') return [];
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? readParent(name) : undefined;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const withDescendants = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(withDescendants)];
  return roots.flatMap(withDescendants);
}

function readParent(pid: string): number | undefined {
  return readOrNone(() => parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8')).parent);
}

/** All threads: those that compile and collect garbage are part of what a request costs. */
function readThreads(pid: number): number {
  const threads = readOrNone(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  const times = threads.map((thread) => readOrNone(() => parseSchedstat(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'))));
  return times.reduce<number>((sum, time) => sum + (time ?? 0), 0);
}

/** Bytes of memory that each process of some trees takes. */
export function readResident(roots: readonly number[]): ReadonlyMap<number, number> {
  return new Map(listTree(roots).map((pid) => [pid, parseResident(readOrNone(() => readFileSync(`/proc/${pid}/status`, 'utf8')) ?? '')]));
}

export function parseResident(status: string): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

/** What some processes have of something. */
export function sumOf(values: ReadonlyMap<number, number>, only: ReadonlySet<number>): number {
  return [...only].reduce((sum, pid) => sum + (values.get(pid) ?? 0), 0);
}

/** The first number is nanoseconds on a core. */
export function parseSchedstat(text: string): number {
  return Number(text.split(' ')[0]);
}

/** Which of a tree hold connections of callers to this port: how many processes serve is their own affair. */
export function findServing(roots: readonly number[], port: number): Set<number> {
  const tables = ['tcp', 'tcp6'].map((name) => readOrNone(() => readFileSync(`/proc/net/${name}`, 'utf8')) ?? '');
  const sockets = new Set(tables.flatMap((text) => listSockets(text, port)));
  return new Set(listTree(roots).filter((pid) => holdsOne(pid, sockets)));
}

const ESTABLISHED = '01';

/** The inodes of connections that were accepted at a port, as `/proc/net/tcp` lists them. */
export function listSockets(text: string, port: number): string[] {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(local) === true && fields[3] === ESTABLISHED)
    .map((fields) => fields[9] ?? '');
}

function holdsOne(pid: number, sockets: ReadonlySet<string>): boolean {
  const descriptors = readOrNone(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
  return descriptors.some((descriptor) => {
    const target = readOrNone(() => readlinkSync(`/proc/${pid}/fd/${descriptor}`)) ?? '';
    return target.startsWith('socket:[') && sockets.has(target.slice('socket:['.length, -1));
  });
}

/** Processes and threads end while they are read; what is gone has nothing to add. */
function readOrNone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
