import { measureRounds } from './measure-load';
import type { Load } from './loads';
import type { Sample } from './samples';
import { startAll, startRelay, startStandaloneTarget, stopAll } from './targets';
import type { PhaseRun } from './phase-run';

/** The relay and the standalone gateways, side by side. */
export async function measureBeside(loads: readonly Load[], run: PhaseRun): Promise<Sample[]> {
  const { tools, checkouts, options } = run;
  const settings = { providerUrl: tools.providerUrl, env: options.gatewayEnv };
  const targets = await startAll([
    startRelay(tools.providerUrl),
    ...checkouts.map((checkout) => startStandaloneTarget(checkout, settings)),
  ]);
  try {
    return await measureRounds(loads, targets, { ...options, tools, announce: run.announce });
  } finally {
    await stopAll(targets);
  }
}
