import type { UsageEvent } from '@weir/contracts';

type Times = { readonly milliseconds: number | null; readonly first_byte_milliseconds: number | null };

/**
 * How long a request took, from its admission to its end and to the first byte of the reply: by the clocks of edge and
 * worker, so never less than the last attempt alone. Unknown of one that a crash ended.
 */
export function measureTimes(last: UsageEvent): Times {
  const { admitted_at: admittedAt, ended_at: endedAt, dur_ms: durationMs, ttft_ms: firstByteMs } = last;
  if (last.status === 'aborted_crash') return { milliseconds: null, first_byte_milliseconds: null };
  const milliseconds = Math.max(endedAt - admittedAt, durationMs);
  return { milliseconds, first_byte_milliseconds: firstByteMs === null ? null : milliseconds - durationMs + firstByteMs };
}
