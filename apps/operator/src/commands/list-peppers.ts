import { pepperVersion, DEFAULT_PEPPER_VERSION, type KeyPeppers } from '@weir/access';
import { readPepperUse, type PepperUse } from '@weir/database';
import type { Command } from './command';

export const listPeppers: Command = {
  words: 'pepper list',
  summary: 'Counts the keys that depend on each pepper: those that were not used since it was replaced can be found under it only.',
  options: [],
  run: async (_given, { open }) => {
    const { database, peppers } = await open();
    const uses = await readPepperUse(database.pool, peppers);
    const waiting = findWaiting(uses, peppers);
    return {
      peppers: uses.map((use) => ({
        version: use.version,
        is: describeVersion(use.version, peppers),
        keys: use.keys,
        overlaps: use.overlaps,
        last_overlap_ends_at: use.lastOverlapEndsAt?.toISOString() ?? null,
      })),
      ...waiting,
    };
  },
};

/** Keys and overlaps that do not depend on the pepper in force. */
export function findWaiting(uses: readonly PepperUse[], { current }: KeyPeppers): { keys_waiting: number; overlaps_waiting: number } {
  const others = uses.filter(({ version }) => version !== pepperVersion(current));
  return {
    keys_waiting: others.reduce((sum, { keys }) => sum + keys, 0),
    overlaps_waiting: others.reduce((sum, { overlaps }) => sum + overlaps, 0),
  };
}

/** `unrecorded`: stored before the version was recorded, under the only pepper there was. */
function describeVersion(version: number, { current, previous }: KeyPeppers): 'current' | 'previous' | 'unrecorded' | 'unknown' {
  if (version === pepperVersion(current)) return 'current';
  if (previous !== undefined && version === pepperVersion(previous)) return 'previous';
  return version === DEFAULT_PEPPER_VERSION ? 'unrecorded' : 'unknown';
}
