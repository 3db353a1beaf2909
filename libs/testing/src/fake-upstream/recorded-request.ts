import type { IncomingHttpHeaders } from 'node:http';

/** How the exchange was over: the reply was sent whole, the caller went away first, or the script cut the connection. */
export type ExchangeEnd = 'answered' | 'aborted' | 'cut';

export type RecordedRequest = {
  readonly method: string;
  /** Path with its query, as it came. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly bodyText: string;
  /** Resolves when the exchange is over, so that tests wait for an abort instead of sleeping. */
  readonly ended: Promise<ExchangeEnd>;
};

/** The body as JSON; throws when it is none, which is what a test wants to see. */
export function parseRecordedBody(request: RecordedRequest): Record<string, unknown> {
  return JSON.parse(request.bodyText) as Record<string, unknown>;
}
