// How soon a revoked key is refused everywhere: 1,000 revocations, four edge processes, push cut half the time.
import { parseArgs } from 'node:util';
import { closeCalls } from './call-service';
import { measureRevocations } from './measure-revocations';
import { percentile } from './percentile';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      revocations: { type: 'string', default: '1000' },
      edges: { type: 'string', default: '4' },
      'every-ms': { type: 'string', default: '50' },
      'phase-ms': { type: 'string', default: '6000' },
      'load-per-edge': { type: 'string', default: '100' },
    },
  });
  const figures = await measureRevocations({
    revocations: Number(values.revocations),
    edges: Number(values.edges),
    everyMs: Number(values['every-ms']),
    phaseMs: Number(values['phase-ms']),
    loadPerEdge: Number(values['load-per-edge']),
  });
  await closeCalls();
  const { withPushMs, withoutPushMs, load } = figures;
  const describe = (name: string, delays: readonly number[]): void => {
    const [p50, p99, max] = [0.5, 0.99, 1].map((share) => percentile(delays, share).toFixed(0));
    console.log(`${name}: ${delays.length} times an edge refused a revoked key, p50 ${p50} ms, p99 ${p99} ms, slowest ${max} ms`);
  };
  describe('push works', withPushMs);
  describe('push cut  ', withoutPushMs);
  console.log(
    `load: ${load.requests} requests with keys in force, ${load.refused} refused, p99 ${percentile(load.latenciesMs, 0.99).toFixed(1)} ms`,
  );
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
