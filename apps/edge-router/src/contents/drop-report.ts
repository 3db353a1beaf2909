import type { Logger } from '@weir/telemetry';

/** `left_out`: by a rule, because guardrails took something out of them. */
export type ContentOutcome = 'kept' | 'left_out' | 'dropped';

const LOGGED_EVERY_MS = 10_000;

/** Counts contents that were to be kept and were not, and logs them, a line every ten seconds at most. */
export function createDropReport(
  count: (outcome: ContentOutcome, requests: number) => void,
  log: Pick<Logger, 'warn'>,
  now: () => number = () => performance.now(),
): (requests: number, error: unknown) => void {
  let loggedMs = -Infinity;
  let since = 0;
  return (requests, error) => {
    count('dropped', requests);
    since += requests;
    if (now() - loggedMs < LOGGED_EVERY_MS) return;
    log.warn({ requests: since, error }, 'contents of requests were not kept');
    loggedMs = now();
    since = 0;
  };
}
