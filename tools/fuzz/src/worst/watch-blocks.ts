// Loaded into a gateway with `--require`: says over a local socket how long its event loop was blocked at most since the last question.
import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 1;
const path = process.env['BLOCKS_SOCKET'];

if (path !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const server = createServer((socket) => {
    const blockedMs = Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
    delay.reset();
    socket.on('error', () => socket.destroy());
    socket.end(String(blockedMs));
  });
  server.listen(path);
  server.unref();
}
