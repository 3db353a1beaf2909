import type { Passport } from '@weir/contracts';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { RequestScope } from './request-scope';

/** One admitted request as a worker receives it, over HTTP or in the same process. */
export type WorkerRequest = {
  readonly passport: Passport;
  /** The caller's body, untouched. */
  readonly body: Buffer;
  /** Text and parsed value of a JSON body, when the edge has them already in this process. */
  readonly parsed?: ParsedBody;
  readonly headers: IncomingHttpHeaders;
  /** Where the reply goes. Whoever writes to it obeys its back-pressure. */
  readonly response: ServerResponse;
  readonly notes: RequestScope['notes'];
};

export type ParsedBody = { readonly text: string; readonly json: Record<string, unknown> };

/** Serves one admitted request. Rejects, before anything was sent, with the error the caller should get. */
export type WorkerHandler = (work: WorkerRequest) => Promise<void>;
