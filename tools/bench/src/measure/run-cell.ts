import type { ChildProcess } from 'node:child_process';
import type { Cell } from '../cells/cells';
import type { BenchOptions } from '../cells/options';
import type { LoadJob, LoadResult } from '../processes/load-job';
import { createRequestBody } from '../processes/sample-bodies';
import { readCpuTime } from './cpu-time';
import { nextMessage } from './start-child';

export type CellResult = {
  readonly cell: Cell;
  readonly requestsPerSecond: number;
  readonly requests: number;
  readonly errors: number;
  readonly firstError: string | undefined;
  /** At one connection. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Null where the system does not report it. */
  readonly cpuMicroseconds: number | null;
  readonly childrenCpuMicroseconds: number | null;
};

export type Target = { readonly port: number; readonly pid: number; readonly key: string };

export type LoadTools = { readonly generator: ChildProcess; readonly options: BenchOptions };

/** Measures one cell: warm up, full load with CPU time, then one connection for latency. */
export async function runCell(cell: Cell, target: Target, { generator, options }: LoadTools): Promise<CellResult> {
  const job: LoadJob = {
    port: target.port,
    path: '/v1/chat/completions',
    key: target.key,
    body: createRequestBody(options.models[cell.route], cell.stream),
    stream: cell.stream,
    wantsCost: cell.target === 'gateway',
    frames: options.frames,
    concurrency: options.concurrency,
    seconds: options.seconds,
  };
  const warmUp = await runLoad(generator, { ...job, seconds: options.warmUpSeconds });
  const before = readCpuTime(target.pid);
  const load = await runLoad(generator, job);
  const after = readCpuTime(target.pid);
  const single = await runLoad(generator, { ...job, concurrency: 1, seconds: options.latencySeconds });
  const perRequest = (from: number, to: number): number => (to - from) / load.requests;
  return {
    cell,
    requests: load.requests,
    requestsPerSecond: load.requests / load.elapsedSeconds,
    errors: warmUp.errors + load.errors + single.errors,
    firstError: warmUp.firstError ?? load.firstError ?? single.firstError,
    p50Ms: single.p50Ms,
    p99Ms: single.p99Ms,
    cpuMicroseconds: before && after && perRequest(before.ownMicroseconds, after.ownMicroseconds),
    childrenCpuMicroseconds: before && after && perRequest(before.childrenMicroseconds, after.childrenMicroseconds),
  };
}

function runLoad(generator: ChildProcess, job: LoadJob): Promise<LoadResult> {
  const answer = nextMessage<LoadResult>(generator, 'load generator');
  generator.send(job);
  return answer;
}
