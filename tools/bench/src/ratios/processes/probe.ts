// Loaded into a process under test before its own code: counts its promises and what it allocates, when asked over a local socket.
import { createHook } from 'node:async_hooks';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { GCProfiler } from 'node:v8';
import { isMainThread } from 'node:worker_threads';
import { sumAllocated } from './sum-allocated';

/** Where each process puts its socket, named after it. */
export const PROBE_FOLDER = 'BENCH_PROBE_FOLDER';

export type ProbeRequest = 'promises' | 'bytes' | 'stop';

type Stop = () => number;

const STARTS: Record<Exclude<ProbeRequest, 'stop'>, () => Stop> = { promises: countPromises, bytes: countBytes };

function countPromises(): Stop {
  let count = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'PROMISE') count += 1;
    },
  });
  hook.enable();
  return () => {
    hook.disable();
    return count;
  };
}

/** What is in use grows by what is allocated; collections, which shrink it, say what was in use before and after. */
function countBytes(): Stop {
  const profiler = new GCProfiler();
  profiler.start();
  const startUsed = process.memoryUsage().heapUsed;
  return () => {
    const endUsed = process.memoryUsage().heapUsed;
    return sumAllocated(startUsed, profiler.stop().statistics, endUsed);
  };
}

const folder = process.env[PROBE_FOLDER];
if (folder !== undefined && isMainThread) {
  let stop: Stop = () => 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (bytes: Buffer) => {
      const request = bytes.toString() as ProbeRequest;
      const counted = stop();
      stop = request === 'stop' ? () => 0 : STARTS[request]();
      socket.end(String(counted));
    });
  });
  server.on('error', (error) => process.stderr.write(`probe: ${error.message}\n`));
  server.listen(join(folder, String(process.pid)), () => server.unref());
}
