import { replayDeadLetters } from '@weir/database';
import type { Command } from './command';
import { readYesOrNo } from './read-yes-or-no';

export const replayUsage: Command = {
  words: 'usage replay',
  summary: 'Counts usage events that were set aside, once their cause is mended. Can be repeated at any time; nothing counts twice.',
  options: [
    { name: 'reason', value: 'REASON', meaning: 'only those set aside for this reason, such as unknown_version' },
    { name: 'accept-late', value: 'yes|no', meaning: 'also those that came more than 35 days late; no by default' },
  ],
  run: async (given, { open }) => {
    const acceptLate = readYesOrNo(given, 'accept-late');
    const { database } = await open();
    const { reason } = given.options;
    return replayDeadLetters({ pool: database.pool, acceptLate, ...(reason === undefined ? {} : { reason }) });
  },
};
