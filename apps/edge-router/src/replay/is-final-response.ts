import type { RecordedResponse } from './recorded-response';

/** Refusals that the same request meets again whenever it is sent: of the request itself, not of the moment. */
const DETERMINISTIC = new Set([400, 404, 413, 415, 422]);
/** How the dialects report inside a stream that it failed. */
const FAILURES = ['event: error\n', 'event: response.failed\n', 'data: {"error":'];

/** True when a response would be the same if the request were sent again, so that it may be replayed. */
export function isFinalResponse({ status, headers, body }: RecordedResponse): boolean {
  if (DETERMINISTIC.has(status)) return true;
  if (status < 200 || status > 299) return false;
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true;
  return !isStream || !FAILURES.some((failure) => body.includes(`\n${failure}`) || body.indexOf(failure) === 0);
}
