import { freeCounters } from '@weir/database';
import type { Command } from './command';
import { readYesOrNo } from './read-yes-or-no';

export const releaseCounters: Command = {
  words: 'counters release',
  summary:
    'Lets the next gateway without REDIS_URL count limits at once, in place of one that is gone without having ended in order and that nothing else is known of.',
  options: [
    {
      name: 'despite-living',
      value: 'yes|no',
      meaning: 'also of one that was heard of in the last 15 seconds: if it lives, it ends within five; no by default',
    },
  ],
  run: async (given, { open }) => {
    const isForced = readYesOrNo(given, 'despite-living');
    const { database } = await open();
    const freed = await freeCounters(database.pool, isForced);
    if (freed === 'living')
      throw new Error('The owner of the counters was heard of in the last 15 seconds. Stop it, or add --despite-living yes.');
    return { released: freed };
  },
};
