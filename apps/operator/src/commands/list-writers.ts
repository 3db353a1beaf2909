import { readWriters } from '@weir/database';
import type { Command } from './command';

export const listWriters: Command = {
  words: 'usage writers',
  summary: 'Lists the journals usage came from: up to where everything is counted, and what is missing before what came later.',
  options: [],
  run: async (_given, { open }) => {
    const { database } = await open();
    const writers = await readWriters(database.pool);
    return {
      writers: writers.map(({ writerId, watermark, holes, firstGapAtMs, updatedAtMs }) => ({
        writer_id: writerId,
        counted_up_to: watermark === null ? null : String(watermark),
        missing: holes.map(({ from, to }) => ({ from: String(from), to: String(to) })),
        missing_since: firstGapAtMs === null ? null : new Date(firstGapAtMs).toISOString(),
        updated_at: new Date(updatedAtMs).toISOString(),
      })),
    };
  },
};
