import type { SlowSocketsResult } from './run-slow-sockets';

const CLOSED_MS_MAX = 20_000;
const SLOWER_MAX = 2;
/** Below this, twice as much is within what clocks and a shared machine make of it. */
const P99_MS_ALLOWED = 20;

/** What is not as it should be. */
export function judgeSlowSockets({ before, during, isCapped, closedMs }: SlowSocketsResult): readonly string[] {
  const faults: string[] = [];
  if (during.failed + during.refused + during.skipped > 0) faults.push(`callers were not served: ${during.firstFailure ?? 'refused'}`);
  if (during.doneMs.p99 > Math.max(P99_MS_ALLOWED, SLOWER_MAX * before.doneMs.p99))
    faults.push('callers were served more than twice as slowly');
  if (!isCapped) faults.push('an address that had all its connections got one more');
  if (closedMs > CLOSED_MS_MAX) faults.push('slow sockets were left open for more than 20 s');
  return faults;
}
