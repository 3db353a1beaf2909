import type { ErrorDialect } from '@weir/contracts';
import { encodeError, type GatewayError } from '@weir/errors';
import type { ServerResponse } from 'node:http';

/** Image endpoints answer 413 without a body, as their interface states. */
const EMPTY_413 = new Set(['image-generations', 'image-edits']);

/** Answers with an error in the caller's dialect; does nothing useful any more when the reply has begun: it is cut. */
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
  // A refused body may still be on its way; the connection cannot be used again.
  if (encoded.status === 413) response.setHeader('connection', 'close');
  const body = encoded.status === 413 && EMPTY_413.has(about.endpointId ?? '') ? '' : encoded.body;
  response.writeHead(encoded.status, { ...encoded.headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
