import { LOADS, type Load } from './loads';
import { measureRounds } from './measure-load';
import type { PhaseRun } from './phase-run';
import type { Sample } from './samples';
import { startDistributedTarget } from './start-distributed-target';
import { startAll, startRelay, stopAll } from './targets';

/** Edge and worker as processes of their own, with a Redis, a Postgres and a Kafka for each checkout; only those two count. */
export async function measureApart(_loads: readonly Load[], run: PhaseRun): Promise<Sample[]> {
  const { tools, checkouts, options } = run;
  const settings = { providerUrl: tools.providerUrl, env: options.gatewayEnv };
  const targets = await startAll([
    startRelay(tools.providerUrl),
    ...checkouts.map((checkout) => startDistributedTarget(checkout, settings)),
  ]);
  try {
    return await measureRounds([LOADS.apart], targets, { ...options, tools, announce: run.announce });
  } finally {
    await stopAll(targets);
  }
}
