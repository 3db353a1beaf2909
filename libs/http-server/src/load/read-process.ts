import { openSync, readSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { LoadReading } from './regulate-backlog';

export type ProcessReader = {
  /** From here on the next reading counts; the time before it is no one's. */
  begin(): void;
  /** How this process is; each reading is of the time since the one before. */
  read(): LoadReading;
  /** CPU time that the running tick has taken since this was first asked in it. */
  readTickMs(): number;
};

/** CPU time of the thread that serves; where only that of all threads is known, of those that compile and collect as well. */
export const readCpuMs = openCpuClock();

function openCpuClock(): () => number {
  const { threadCpuUsage } = process as { threadCpuUsage?: () => NodeJS.CpuUsage };
  // Node 20 and 22 do not know it, and Linux does.
  if (threadCpuUsage === undefined && process.platform === 'linux') {
    try {
      const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
      const bytes = Buffer.alloc(64);
      const readNs = (): number => Number.parseInt(bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0)), 10);
      if (readNs() > 0) return () => readNs() / 1e6;
    } catch {
      // A kernel without these statistics: all threads it is.
    }
  }
  const readUsage = threadCpuUsage ?? process.cpuUsage;
  return () => {
    const { user, system } = readUsage.call(process);
    return (user + system) / 1000;
  };
}

function countTicks(): number {
  return performance.nodeTiming.uvMetricsInfo.loopCount;
}

/**
 * Reads this process by counters that are kept anyway: no clock of its own runs between two readings. Ticks are measured in
 * CPU time: a process that others keep from running, or that is stopped for a while, has none the longer ticks for it.
 */
export function openProcessReader(): ProcessReader {
  let readAtMs = 0;
  let cpuMs = 0;
  let ticks = 0;
  let usage = performance.eventLoopUtilization();
  /** Of a tick that was running when it was last read. */
  let unfinishedMs = 0;
  const asked = { tick: 0, cpuMs: 0 };
  const begin = (): void => {
    readAtMs = performance.now();
    cpuMs = readCpuMs();
    ticks = countTicks();
    usage = performance.eventLoopUtilization();
    unfinishedMs = 0;
  };
  begin();
  return {
    begin,
    read: () => {
      const [since, usedMs, counted, before] = [readAtMs, cpuMs, ticks, usage];
      const takenMs = unfinishedMs;
      begin();
      const ended = ticks - counted;
      const spentMs = takenMs + cpuMs - usedMs;
      if (ended === 0) unfinishedMs = spentMs;
      const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
      return {
        elapsedMs: readAtMs - since,
        tickMs: spentMs / Math.max(1, ended),
        utilization: performance.eventLoopUtilization(usage, before).utilization,
        heapUsed: used / limit,
      };
    },
    readTickMs: () => {
      const [tick, nowMs] = [countTicks(), readCpuMs()];
      if (tick !== asked.tick) [asked.tick, asked.cpuMs] = [tick, nowMs];
      return nowMs - asked.cpuMs;
    },
  };
}
