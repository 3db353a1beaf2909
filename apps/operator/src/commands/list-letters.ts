import { listDeadLetters } from '@weir/database';
import type { Command } from './command';

export const listLetters: Command = {
  words: 'usage letters',
  summary: 'Lists usage events that could not be counted and wait to be replayed or dismissed, oldest first, at most 1,000.',
  options: [],
  run: async (_given, { open }) => {
    const { database } = await open();
    const letters = await listDeadLetters(database.pool);
    return {
      letters: letters.map(({ id, reason, writerId, sequence, receivedAtMs, beginning }) => ({
        ...{ id, reason, writer_id: writerId, sequence, received_at: new Date(receivedAtMs).toISOString(), beginning },
      })),
    };
  },
};
