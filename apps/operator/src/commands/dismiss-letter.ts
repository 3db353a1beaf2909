import { dismissDeadLetter } from '@weir/database';
import { UsageError, type Command } from './command';

const ID = /^\d{1,18}$/;

export const dismissLetter: Command = {
  words: 'usage dismiss',
  summary: 'Sets one event aside for good, because it is no usage. It is kept with the reason, never counted, and no longer waited for.',
  options: [
    { name: 'letter', value: 'ID', meaning: 'which one, as "usage letters" lists it', isRequired: true },
    { name: 'because', value: 'TEXT', meaning: 'why; stays with the event', isRequired: true },
  ],
  run: async ({ options }, { open }) => {
    const { letter = '', because = '' } = options;
    if (!ID.test(letter)) throw new UsageError(`--letter takes the id of a letter, not "${letter}".`);
    const { database } = await open();
    if (!(await dismissDeadLetter(database.pool, { id: letter, because }))) throw new Error(`No letter ${letter} waits.`);
    return { dismissed: letter };
  },
};
