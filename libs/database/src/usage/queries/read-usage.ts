import type { UsageResponse } from '@weir/contracts';
import { type UsageQuery, countUsage, encodeUsage } from '@weir/usage';
import { createCachedReader, type ReaderParts } from './create-cached-reader';
import { querySums } from './query-sums';

type UsageReader = (query: UsageQuery) => Promise<UsageResponse>;

/** Usage by period and group, of exactly the range that is asked for, and up to which moment it is complete. */
export function createUsageReader(parts: ReaderParts): UsageReader {
  const read = createCachedReader(parts, {
    countEntries: countUsage,
    compute: async (client, query) => {
      const rows = await querySums(client, query);
      return () => encodeUsage(rows, query.groupBy);
    },
  });
  return async (query) => {
    const { result: usage, ...counted } = await read(query);
    return { usage, ...counted };
  };
}
