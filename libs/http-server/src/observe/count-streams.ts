import type { ServerResponse } from 'node:http';

/** How many of these have begun to send a stream of events. */
export function countStreams(running: Iterable<{ readonly response: ServerResponse }>): number {
  let count = 0;
  for (const { response } of running) {
    if (response.headersSent && String(response.getHeader('content-type')).startsWith('text/event-stream')) count += 1;
  }
  return count;
}
