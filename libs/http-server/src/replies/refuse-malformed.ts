import { encodeError, GatewayError } from '@weir/errors';
import type { Socket } from 'node:net';

type Refusal = readonly [status: string, message: string];

const NO_HTTP: Refusal = ['400 Bad Request', 'The request is not valid HTTP.'];
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers of the request are too large: all together may have 32 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
};

/** How long a refused client may take to close its side. */
const LINGER_MS = 2_000;

type Malformed = {
  readonly error: Error & { readonly code?: string };
  readonly socket: Socket;
  /** A response is under way on this connection: another one would be read as a part of it. */
  readonly isReplying: boolean;
};

/** Refuses what could not be read as a request, in the gateway's own envelope: the endpoint is unknown. Ends the connection. */
export function refuseMalformed({ error, socket, isReplying }: Malformed, requestId: string): void {
  if (!socket.writable) return;
  if (isReplying) {
    socket.destroySoon();
    return;
  }
  const [status, message] = REFUSALS[error.code ?? ''] ?? NO_HTTP;
  const { headers, body } = encodeError(new GatewayError('invalid_request', message), 'gateway', requestId);
  const lines = Object.entries({
    ...{ connection: 'close', 'x-request-id': requestId, 'content-length': String(Buffer.byteLength(body)) },
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
  const cut = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(cut));
}
