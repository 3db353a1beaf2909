import type { ErrorDialect } from '@weir/contracts';
import type { GatewayError } from '@weir/errors';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isBodyArriving } from '../replies/send-error';
import { createRefusalSender } from './send-refusal';

type RefuserParts = {
  readonly findRequestId: (request: IncomingMessage) => string;
  /** Counts a request that was over when it began, and writes its line. */
  readonly report: (request: IncomingMessage, about: LoadRefusal) => void;
  /** Of every refusal. */
  readonly headers: Readonly<Record<string, string>>;
};

export type LoadRefusal = {
  readonly requestId: string;
  readonly path: string;
  /** Of the endpoint, or `other`. */
  readonly endpointId: string;
  readonly error: GatewayError;
  readonly status: number;
  readonly durationMs: number;
};

/** A request as it came: nothing is known of it but its first line. */
export type Arrived = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly endpointId: string;
  readonly dialect: ErrorDialect;
};

/**
 * Refuses requests for load, at once and whole: none of them is watched or traced, because what it costs to refuse is missing
 * to serve. Returns false, and does nothing, where much of the request is still to come: that has to be read to its end. Nothing may have been set on the response before.
 */
export function createLoadRefuser({ findRequestId, report, headers }: RefuserParts): (arrived: Arrived, error: GatewayError) => boolean {
  const sendRefusal = createRefusalSender(headers);
  return ({ request, response, path, endpointId, dialect }, error) => {
    if (isBodyArriving(request)) return false;
    const startedAt = performance.now();
    const requestId = findRequestId(request);
    sendRefusal(response, error, { requestId, dialect });
    report(request, { requestId, path, endpointId, error, status: response.statusCode, durationMs: performance.now() - startedAt });
    return true;
  };
}
