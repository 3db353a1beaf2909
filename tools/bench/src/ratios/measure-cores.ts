import { LOADS, type Load } from './loads';
import { measurePairs, type Pair } from './measure-load';
import type { PhaseRun } from './phase-run';
import { ALL_CORES, ONE_PROCESS, type Sample } from './samples';
import { startAll, startStandaloneTarget, stopAll } from './targets';

/** One process of the checkout that is compared with, and as many of this one as it starts by itself; each all cores in its turn. */
export async function measureCores(_loads: readonly Load[], run: PhaseRun): Promise<Sample[]> {
  const { tools, checkouts, options } = run;
  const [base = checkouts[0], now = base] = checkouts;
  if (base === undefined || now === undefined) return [];
  const start = (checkout: typeof base, processes: string) =>
    startStandaloneTarget(checkout, { providerUrl: tools.providerUrl, env: { ...options.gatewayEnv, PROCESSES: processes } });
  const targets = await startAll([start(base, '1'), start(now, 'auto')]);
  const pairs = targets.map((target, index): Pair => ({ target, load: { ...LOADS.whole, name: index === 0 ? ONE_PROCESS : ALL_CORES } }));
  try {
    return await measurePairs(pairs, { ...options, tools, announce: run.announce });
  } finally {
    await stopAll(targets);
  }
}
