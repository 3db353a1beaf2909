import type { KindResult } from '../overload/open-load-job';
import { judgeSlowSockets } from './judge-slow-sockets';
import type { SlowSocketsResult } from './run-slow-sockets';

const served = (p99: number): KindResult => ({
  ...{ name: 'healthy', sent: 800, skipped: 0, done: 800, donePerSecond: 200, refused: 0, failed: 0, firstFailure: undefined },
  ...{ doneMs: { p50: 5, p99 }, refusedMs: { p50: 0, p99: 0 } },
});
const WELL: SlowSocketsResult = { sockets: 5000, before: served(20), during: served(39), isCapped: true, closedMs: 16_000 };

describe('judging slow sockets', () => {
  it('finds nothing wrong where they disturb no one and are gone in time', () => expect(judgeSlowSockets(WELL)).toEqual([]));

  it.each<[string, Partial<SlowSocketsResult>]>([
    ['twice as slowly', { during: served(41) }],
    ['not served', { during: { ...served(20), failed: 1 } }],
    ['one more', { isCapped: false }],
    ['left open', { closedMs: Infinity }],
  ])('finds that callers or sockets are %s', (fault, more) => {
    expect(judgeSlowSockets({ ...WELL, ...more })).toEqual([expect.stringContaining(fault)]);
  });
});
