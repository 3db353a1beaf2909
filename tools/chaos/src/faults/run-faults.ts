import { setTimeout as pause } from 'node:timers/promises';
import type { Verdict } from '../check/check-invariants';
import type { Rig } from '../rig/start-rig';
import { describeFault } from './fault';
import { injectFault } from './inject-fault';
import { planFaults } from './plan-faults';

/** Of load, before anything goes wrong. */
const LEAD_MS = 1_000;

/** One random run: load, the seed's faults one after the other at their times, rest, and the verdict. */
export async function runFaults(rig: Rig, seed: number, options: { perSecond: number; report?: (line: string) => void }): Promise<Verdict> {
  rig.load(options.perSecond);
  const faults = planFaults(seed);
  // Nothing is learnt from waiting for the first.
  const startedAt = Date.now() - Math.max(0, (faults[0]?.atMs ?? 0) - LEAD_MS);
  for (const { atMs, fault } of faults) {
    await pause(Math.max(0, startedAt + atMs - Date.now()));
    options.report?.(`  ${((Date.now() - startedAt) / 1000).toFixed(1)} s: ${describeFault(fault)}`);
    await injectFault(rig, fault);
  }
  await pause(1_000);
  return rig.verify({ quiesceMs: 120_000 });
}
