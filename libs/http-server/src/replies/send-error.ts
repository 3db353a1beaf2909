import type { ErrorDialect } from '@weir/contracts';
import { encodeError, type GatewayError } from '@weir/errors';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { closeAfterResponse } from '../connections/end-connections';

/** Image endpoints answer 413 without a body, as their interface states. */
const EMPTY_413 = new Set(['image-generations', 'image-edits']);
const SMALL_BODY_BYTES = 1024 * 1024;
const SEEN_WITHIN_MS = 500;

/** Sends an error in the caller's dialect. A response that has begun is cut instead. */
export function sendError(
  response: ServerResponse,
  error: GatewayError,
  about: { requestId: string; dialect: ErrorDialect; endpointId?: string },
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const encoded = encodeError(error, about.dialect, about.requestId);
  const isArriving = isBodyArriving(response.req);
  // A refused body may still be on its way; the connection cannot be used again.
  if (encoded.status === 413 || isArriving) closeAfterResponse(response);
  const isEmpty = encoded.status === 413 && EMPTY_413.has(about.endpointId ?? '');
  const body = isEmpty ? '' : encoded.body;
  const { 'content-type': type, ...headers } = encoded.headers;
  // What is not there has no type: clients would read it.
  if (!isEmpty) headers['content-type'] = type ?? '';
  response.writeHead(encoded.status, { ...headers, 'content-length': Buffer.byteLength(body) });
  if (!isArriving) response.end(body);
  else endWhenSeen(response, body);
}

/** Whether much of the request may still be coming. A small body is just read to its end. */
export function isBodyArriving(request: IncomingMessage | undefined): boolean {
  if (request === undefined || request.complete || request.destroyed) return false;
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || Number(length ?? 0) > SMALL_BODY_BYTES;
}

/**
 * Sends the reply whole, and closes the connection a moment later: closed at once, with bytes of the caller unread, the
 * reply would be lost on its way. What still comes is let go.
 */
function endWhenSeen(response: ServerResponse, body: string): void {
  const { req: request } = response;
  if (body === '') response.flushHeaders();
  else response.write(body);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, SEEN_WITHIN_MS);
  request.once('end', end);
  request.once('close', end);
  request.resume();
}
