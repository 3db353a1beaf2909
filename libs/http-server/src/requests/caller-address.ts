import type { IncomingMessage } from 'node:http';

const noted = new WeakMap<IncomingMessage, string>();

/** Notes where a request comes from that another process of this gateway passed on. */
export function noteCallerAddress(request: IncomingMessage, address: string): void {
  noted.set(request, address);
}

/** The address of who sent the request; null when the connection is gone. */
export function readCallerAddress(request: IncomingMessage): string | null {
  return noted.get(request) ?? request.socket.remoteAddress ?? null;
}
