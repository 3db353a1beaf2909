import type { Passport } from '@weir/contracts';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { ParsedBody } from '../bodies/parse-json-body';
import type { ReceivedForm } from '../forms/received-form';
import type { PathParams, RequestScope } from '../requests/request-scope';

/** One admitted request as a worker receives it, over HTTP or in the same process. */
export type ForwardedRequest = {
  readonly passport: Passport;
  /** The caller's body, untouched. */
  readonly body: Buffer;
  /** Text and parsed value of a JSON body, when the edge has them already in this process. A worker that needs them no more lets go of them. */
  parsed?: ParsedBody | undefined;
  /** What a multipart body held; `body` is empty then. Its receiver discards it when the reply is over. */
  readonly form?: ReceivedForm;
  /** What stands in the open parts of the endpoint's path. */
  readonly params?: PathParams;
  /** What follows the path, without its question mark. */
  readonly query?: string;
  readonly headers: IncomingHttpHeaders;
  /** Where the reply goes. Its writer obeys back-pressure. */
  readonly response: ServerResponse;
  readonly notes: RequestScope['notes'];
  /** See RequestScope. */
  readonly isCrowded?: RequestScope['isCrowded'];
};

/** What follows the path of a request, without its question mark. */
export function readQuery({ url = '' }: IncomingMessage): string {
  const mark = url.indexOf('?');
  return mark === -1 ? '' : url.slice(mark + 1);
}

/** Serves one admitted request. Rejects, before anything was sent, with the error the caller should get. */
export type WorkerHandler = (forwarded: ForwardedRequest) => Promise<void>;
