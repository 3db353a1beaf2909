import { pepperVersion } from '@weir/access';
import { forgetFormerHashes, readPepperUse } from '@weir/database';
import type { Command } from './command';
import { readYesOrNo } from './read-yes-or-no';
import { findWaiting } from './list-peppers';

export const withdrawPepper: Command = {
  words: 'pepper withdraw',
  summary: 'Removes the former pepper from the database. Afterwards remove KEY_PEPPER_PREVIOUS from the settings.',
  options: [
    {
      name: 'despite-waiting',
      value: 'yes|no',
      meaning: 'also while keys depend on it, which stop working when the setting is removed; no by default',
    },
  ],
  run: async (given, { open }) => {
    const despiteWaiting = readYesOrNo(given, 'despite-waiting');
    const { database, peppers } = await open();
    const waiting = findWaiting(await readPepperUse(database.pool, peppers), peppers);
    if (!despiteWaiting && waiting.keys_waiting + waiting.overlaps_waiting > 0) {
      throw new Error(
        `${waiting.keys_waiting} keys and ${waiting.overlaps_waiting} rotated secrets depend on a former pepper. Wait until they are used or rotated, or end them with --despite-waiting yes.`,
      );
    }
    return { forgotten_hashes: await forgetFormerHashes(database.pool, pepperVersion(peppers.current)), ...waiting };
  },
};
