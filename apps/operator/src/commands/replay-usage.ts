import { replayDeadLetters } from '@weir/database';
import { UsageError, type Command } from '../command';

const YES_OR_NO = ['yes', 'no'];

export const replayUsage: Command = {
  words: 'usage replay',
  summary: 'Counts usage events that were set aside, once their cause is mended. Can be repeated at any time; nothing counts twice.',
  options: [
    { name: 'reason', value: 'REASON', meaning: 'only those set aside for this reason, such as unknown_version' },
    { name: 'accept-late', value: 'yes|no', meaning: 'also those that came more than 35 days late; no unless told' },
  ],
  run: async ({ options }, { open }) => {
    const late = options['accept-late'] ?? 'no';
    if (!YES_OR_NO.includes(late)) throw new UsageError(`--accept-late is yes or no, not "${late}".`);
    const { database } = await open();
    const { reason } = options;
    return replayDeadLetters({ pool: database.pool, acceptLate: late === 'yes', ...(reason === undefined ? {} : { reason }) });
  },
};
