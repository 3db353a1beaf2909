import { createDice } from './physics/dice';
import { FAULT_KINDS, type FaultKind } from './physics/faults';

/** Of each kind, how many worlds have it. */
const SHARE = 0.55;

/** Which faults the world of a seed has. One in sixteen has none, so that what fails there needs none. */
export function chooseFaults(seed: number): ReadonlySet<FaultKind> {
  const dice = createDice(seed).fork('kinds');
  if (dice.chance(1 / 16)) return new Set();
  return new Set(FAULT_KINDS.filter(() => dice.chance(SHARE)));
}
