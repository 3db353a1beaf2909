// What a gateway does while Redis is away: `node tools/bench/dist/limits/outage.js refuse|blackhole|slow [--seconds 300]`.
import type { ProxyMode } from '@weir/testing';
import { parseArgs } from 'node:util';
import { percentile } from '../revocations/percentile';
import { measureOutage, type Replies } from './measure-outage';

const MODES = new Map<string, ProxyMode>([
  ['refuse', { kind: 'refuse' }],
  ['blackhole', { kind: 'blackhole' }],
  ['slow', { kind: 'latency', ms: 20 }],
]);

function print(title: string, callers: ReadonlyMap<string, Replies>): void {
  for (const [name, replies] of callers) {
    for (const [kind, took] of replies) {
      const [p50, p99, max] = [0.5, 0.99, 1].map((share) => percentile(took, share).toFixed(1));
      console.log(`${title} ${name}: ${took.length} × ${kind}, p50 ${p50} ms, p99 ${p99} ms, slowest ${max} ms`);
    }
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seconds: { type: 'string', default: '300' }, 'per-second': { type: 'string', default: '20' } },
  });
  const mode = MODES.get(positionals[0] ?? '');
  if (mode === undefined) throw new Error(`say what becomes of Redis: ${[...MODES.keys()].join(', ')}`);
  const figures = await measureOutage({ mode, seconds: Number(values.seconds), perSecond: Number(values['per-second']) });
  print('before', figures.before);
  print('during', figures.during);
  const { spentUsd, leaseUsd, backAfterMs, countedUsd, reportedUsd } = figures;
  console.log(
    `limited keys spent ${spentUsd.toFixed(9)} USD of a lease of ${leaseUsd} USD; counters were back after ${backAfterMs.toFixed(0)} ms`,
  );
  console.log(`counted in the end ${countedUsd.toFixed(9)} USD, reported in replies ${reportedUsd.toFixed(9)} USD`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
