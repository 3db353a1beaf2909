import { crashMidStream, killBroker, killCache, killDatabase, refuseBroker } from './break-parts';
import { refuseDatabase } from './database-away';
import { leaveAbort, leaveDrain, leaveEarlyOrLate, matrix } from './disconnects';
import { emptyJournal, fillDisk } from './harm-journal';
import { killAggregators, killAny, killWorkers } from './kill-processes';
import { outages } from './outages';
import type { Scenario } from './scenario';
import { spendLimit } from './spend-limits';
import { failDisk, fillJournal, measureLag, poisonBus } from './spoil-journal';

export const SCENARIOS: readonly Scenario[] = [
  matrix,
  leaveAbort,
  leaveDrain,
  leaveEarlyOrLate,
  crashMidStream,
  killWorkers,
  killAggregators,
  failDisk,
  fillJournal,
  emptyJournal,
  fillDisk,
  poisonBus,
  measureLag,
  killDatabase,
  killCache,
  outages,
  refuseBroker,
  refuseDatabase,
  killBroker,
  spendLimit,
  killAny,
];

export function findScenario(id: string): Scenario {
  const found = SCENARIOS.find((scenario) => scenario.id.toLowerCase() === id.toLowerCase());
  if (found === undefined) throw new Error(`there is no scenario ${id}; there are ${SCENARIOS.map((scenario) => scenario.id).join(', ')}`);
  return found;
}
