import { FAIL_POINTS, type FailPointName } from '@weir/contracts';

export type FailPointRow = {
  readonly point: FailPointName;
  readonly service: 'chat-translator' | 'usage-aggregator';
  readonly nth: number;
};

/** The hit at which a point is worth failing under load: late enough that there is something to lose. */
const NTH: Partial<Record<FailPointName, number>> = {
  'journal.write': 40,
  'journal.sync': 5,
  'journal.begin.after_write': 20,
  'journal.end.before_write': 20,
  'journal.end.after_write_before_fsync': 20,
  'bus.send.before': 3,
  'bus.send.after_ack': 3,
  'agg.after_fetch': 3,
  'agg.tx.before_commit': 3,
  'agg.tx.after_commit_before_ack': 3,
  'agg.confirm.before_redis': 3,
  'stream.after_first_byte': 40,
  'stream.before_terminal': 10,
};

/** Every fail point and the service it is in. */
export const FAIL_POINT_ROWS: readonly FailPointRow[] = FAIL_POINTS.map((point) => ({
  point,
  service: point.startsWith('agg.') ? 'usage-aggregator' : 'chat-translator',
  nth: NTH[point] ?? 1,
}));
