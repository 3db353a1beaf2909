import { encodeError, GatewayError } from '@weir/errors';
import type { Socket } from 'node:net';

type Saying = readonly [status: string, message: string];

const NO_HTTP: Saying = ['400 Bad Request', 'The request is not valid HTTP.'];
const SAYINGS: Readonly<Record<string, Saying>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers of the request are too large: all together may have 32 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
};

/** How long a client that was answered may take to close its side. */
const LINGER_MS = 2_000;

export type Broken = {
  readonly error: Error & { readonly code?: string };
  readonly socket: Socket;
  /** An answer is under way on this connection: another one would be read as a part of it. */
  readonly isAnswering: boolean;
};

/** Answers what could not be read as a request, in the usual envelope: no one knows which endpoint was meant. Ends the connection. */
export function answerBroken({ error, socket, isAnswering }: Broken, requestId: string): void {
  if (!socket.writable) return;
  if (isAnswering) {
    socket.destroySoon();
    return;
  }
  const [status, message] = SAYINGS[error.code ?? ''] ?? NO_HTTP;
  const { headers, body } = encodeError(new GatewayError('invalid_request', message), 'gateway', requestId);
  const lines = Object.entries({
    ...{ connection: 'close', 'x-request-id': requestId, 'content-length': String(Buffer.byteLength(body)) },
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
  const cut = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(cut));
}
