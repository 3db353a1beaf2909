// Opens thousands of connections that never finish a request, and looks whether others notice: `node tools/bench/dist/slow-sockets/main.js`.
import { parseArgs } from 'node:util';
import { positive } from '../cells/options';
import { judgeSlowSockets } from './judge-slow-sockets';
import { runSlowSockets } from './run-slow-sockets';

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { sockets: { type: 'string', default: '5000' } } });
  const result = await runSlowSockets(positive('sockets', values.sockets));
  const { sockets, before, during, closedMs } = result;
  const faults = judgeSlowSockets(result);
  console.log(
    `before: ${before.done} served, p50 ${before.doneMs.p50.toFixed(1)}, p99 ${before.doneMs.p99.toFixed(1)} ms\n` +
      `with ${sockets} slow sockets: ${during.done} served, p50 ${during.doneMs.p50.toFixed(1)}, p99 ${during.doneMs.p99.toFixed(1)} ms\n` +
      `the last of them closed after ${(closedMs / 1000).toFixed(1)} s`,
  );
  console.log(faults.length === 0 ? 'all is well' : faults.map((fault) => `BROKEN ${fault}`).join('\n'));
  return faults.length === 0 ? 0 : 1;
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
