import { DAY_MS, encodeUsage, type UsageQuery, type UsageReference } from '@weir/usage';
import type { UsageResponse } from '@weir/contracts';
import type { ClickHouse } from '../connection/create-clickhouse';
import { readMark } from '../build/pass-mark';
import { querySums } from './query-sums';

type ReaderParts = {
  readonly clickhouse: ClickHouse;
  readonly reference: UsageReference;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  /** How long ClickHouse keeps usage. */
  readonly retentionDays: number;
};

/** Why ClickHouse cannot reply to a question. */
export type NotReadable = 'never_fed' | 'behind' | 'before_it_was_fed' | 'emptied';

export type ColumnarReader = {
  /** Usage by period and group, as Postgres would reply; or why it has to. */
  read(query: UsageQuery): Promise<UsageResponse | NotReadable>;
};

/** Further behind, and someone who has just used something would look for it in vain. */
const BEHIND_MAX_MS = 60_000;

export function createColumnarReader({ clickhouse, reference, now, retentionDays }: ReaderParts): ColumnarReader {
  return {
    read: async (query) => {
      // Before anything is read: what comes meanwhile may be in the result, what is promised here certainly is.
      const progress = await reference.readProgress();
      if (progress === undefined) return 'never_fed';
      if (progress.countedAsOfMs - progress.fedAsOfMs > BEHIND_MAX_MS) return 'behind';
      if (query.startMs < Math.max(progress.sinceMs, now() - retentionDays * DAY_MS)) return 'before_it_was_fed';
      if ((await readMark(clickhouse)) < progress.writtenRun) return 'emptied';
      const usage = encodeUsage(await querySums({ clickhouse, reference }, query), query.groupBy);
      const warnings = await reference.readWarnings(query);
      return { usage, as_of: new Date(progress.fedAsOfMs).toISOString(), ...(warnings.length === 0 ? {} : { warnings }) };
    },
  };
}
