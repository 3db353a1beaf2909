import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** One request that is to be carried out once for each Idempotency-Key, before anything is spent on it. */
export type OnceAsk = {
  readonly organizationId: string;
  readonly apiKeyId: string;
  readonly requestId: string;
  readonly endpointId: string;
  readonly headers: IncomingHttpHeaders;
  /** Its body, equal for equal requests; made only when it is needed. */
  readonly fingerprint: () => string | Promise<string>;
  readonly isZeroRetention: boolean;
  readonly response: ServerResponse;
};

/** One whose response may be shared with equal requests too. */
export type ReplayAsk = OnceAsk & {
  /** The body's `weir` object. */
  readonly extension: Readonly<Record<string, unknown>> | undefined;
  /** Everything else that decides the response: rules in force, where the request would go. */
  readonly circumstances: () => string;
};
