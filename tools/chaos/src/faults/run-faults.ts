import type { Verdict } from '../check/check-invariants';
import type { Rig } from '../house/start-rig';
import { pause } from '../pause';
import { describeFault } from './fault';
import { injectFault } from './inject-fault';
import { planFaults } from './plan-faults';

/** One random run: load, the seed's faults one after the other at their times, rest, and the verdict. */
export async function runFaults(rig: Rig, seed: number, options: { perSecond: number; tell?: (line: string) => void }): Promise<Verdict> {
  rig.load(options.perSecond);
  const startedAt = Date.now();
  for (const { atMs, fault } of planFaults(seed)) {
    await pause(Math.max(0, startedAt + atMs - Date.now()));
    options.tell?.(`  ${((Date.now() - startedAt) / 1000).toFixed(1)} s: ${describeFault(fault)}`);
    await injectFault(rig, fault);
  }
  await pause(1_000);
  return rig.verify({ quiesceMs: 120_000 });
}
