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

/** Where it is known, that of the thread that serves; else that of all threads of the process. Node 20 and 22 know only the latter. */
const { threadCpuUsage = process.cpuUsage } = process as { threadCpuUsage?: () => NodeJS.CpuUsage };

function readCpuMs(): number {
  const { user, system } = threadCpuUsage.call(process);
  return (user + system) / 1000;
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
