import type { RecordedResponse } from './recorded-response';

/** Refusals that the same request meets again whenever it is sent: of the request itself, not of the moment. */
const DETERMINISTIC = new Set([400, 404, 413, 415, 422]);
/** How the dialects tell inside a stream that it failed. */
const FAILURES = ['event: error\n', 'event: response.failed\n', 'data: {"error":'];

/** Whether a reply says what came of the request, so that it may stand for it from now on. */
export function isFinalResponse({ status, headers, body }: RecordedResponse): boolean {
  if (DETERMINISTIC.has(status)) return true;
  if (status < 200 || status > 299) return false;
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true;
  return !isStream || !FAILURES.some((failure) => body.includes(`\n${failure}`) || body.indexOf(failure) === 0);
}
