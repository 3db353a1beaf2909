import type { ErrorDialect } from '@weir/contracts';
import { encodeError, type GatewayError } from '@weir/errors';
import type { ServerResponse } from 'node:http';

type RefusalSender = (response: ServerResponse, refusal: GatewayError, about: { requestId: string; dialect: ErrorDialect }) => void;

type Prepared = {
  readonly status: number;
  /** Names and values in turn, as node takes them quickest; the id of a request where the mark is. */
  readonly headers: readonly string[];
  readonly bodyStart: string;
  readonly bodyEnd: string;
  readonly bodyBytes: number;
  readonly hasId: boolean;
};

/** Stands for the id of a request in what is prepared; no other text of an error holds it. */
const MARK = '\u0001';
const ENCODED_MARK = '\\u0001';

/**
 * Sends refusals that are the same again and again, but for the id of the request: they are encoded once. Nothing may have
 * been set on the response before. `more` are headers of them all.
 */
export function createRefusalSender(more: Readonly<Record<string, string>> = {}): RefusalSender {
  const prepared = new Map<GatewayError, Map<ErrorDialect, Prepared>>();
  const find = (refusal: GatewayError, dialect: ErrorDialect): Prepared => {
    let byDialect = prepared.get(refusal);
    if (byDialect === undefined) prepared.set(refusal, (byDialect = new Map()));
    let found = byDialect.get(dialect);
    if (found === undefined) byDialect.set(dialect, (found = prepare(refusal, dialect, more)));
    return found;
  };
  return (response, refusal, { requestId, dialect }) => {
    const { status, headers, bodyStart, bodyEnd, bodyBytes, hasId } = find(refusal, dialect);
    const length = hasId ? bodyBytes + requestId.length : bodyBytes;
    const sent = ['x-request-id', requestId, 'content-length', String(length)];
    for (const text of headers) sent.push(text === MARK ? requestId : text);
    response.writeHead(status, sent);
    response.end(hasId ? bodyStart + requestId + bodyEnd : bodyStart);
  };
}

function prepare(refusal: GatewayError, dialect: ErrorDialect, more: Readonly<Record<string, string>>): Prepared {
  const { status, headers, body } = encodeError(refusal, dialect, MARK);
  const [bodyStart = '', bodyEnd] = body.split(ENCODED_MARK);
  const bodyBytes = Buffer.byteLength(bodyStart + (bodyEnd ?? ''));
  return {
    status,
    headers: Object.entries({ ...headers, ...more }).flat(),
    bodyStart,
    bodyEnd: bodyEnd ?? '',
    bodyBytes,
    hasId: bodyEnd !== undefined,
  };
}
