import type { HoldModelRuns } from './hold-model.conformance';

/** HOLD_MODEL=200x1000 plays two hundred histories of a thousand operations each. */
export function readModelRuns(usual: Omit<HoldModelRuns, 'firstSeed'>, asked: string | undefined): HoldModelRuns {
  const firstSeed = 20_261_121;
  if (asked === undefined) return { ...usual, firstSeed };
  const [, seeds, operations] = /^(\d+)x(\d+)$/.exec(asked) ?? [];
  if (seeds === undefined || operations === undefined) throw new RangeError('HOLD_MODEL: give histories and operations, as 200x1000');
  return { seeds: Number(seeds), operations: Number(operations), firstSeed };
}
