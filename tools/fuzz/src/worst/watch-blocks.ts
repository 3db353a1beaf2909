// Loaded into a gateway with `--require`: says over a local socket for how long its event loop was blocked at most since the last question.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { isMainThread } from 'node:worker_threads';

const path = process.env['BLOCKS_SOCKET'];
const CPU_TIME = `/proc/self/task/${process.pid}/schedstat`;

/** Milliseconds of CPU time of this thread: what else the machine does is no block. Where the system keeps none, of the clock. */
function readTimeMs(): number {
  try {
    return Number(readFileSync(CPU_TIME, 'latin1').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

// Threads of the gateway load it as well.
if (path !== undefined && isMainThread) {
  let worstMs = 0;
  let lastMs = readTimeMs();
  // Between two of its calls there is one tick of the event loop; when nothing is done, no CPU time passes.
  const look = (): void => {
    const nowMs = readTimeMs();
    worstMs = Math.max(worstMs, nowMs - lastMs);
    lastMs = nowMs;
  };
  setInterval(look, 1).unref();
  const server = createServer((socket) => {
    look();
    socket.on('error', () => socket.destroy());
    socket.end(String(worstMs));
    worstMs = 0;
  });
  server.listen(path);
  server.unref();
}
