import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { buildConnector, Client } from 'undici';

export type GuardedCall = {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Where a call may go: addresses that were checked, and the rule for checking the one that was reached. */
type Destination = {
  readonly url: URL;
  readonly addresses: readonly string[];
  readonly isAllowedAddress: (address: string) => boolean;
};

export type GuardedReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
  /** Ends the connection; nothing is kept for a next call. */
  readonly close: () => void;
};

const CONNECT_MS = 5_000;
const HEADER_BYTES_MAX = 16 * 1024;

/**
 * Sends one call over a connection of its own, to one of the very addresses that were checked: the name is not resolved
 * again. Follows nothing. Rejects with whatever went wrong.
 */
export async function sendToAddresses(destination: Destination, call: GuardedCall, signal: AbortSignal): Promise<GuardedReply> {
  const { url } = destination;
  const client = new Client(url.origin, { connect: createConnect(destination), maxHeaderSize: HEADER_BYTES_MAX, pipelining: 1 });
  const close = (): void => void client.destroy().catch(() => undefined);
  try {
    const { statusCode, headers, body } = await client.request({
      path: `${url.pathname}${url.search}`,
      method: call.method,
      headers: call.headers,
      body: call.body ?? null,
      signal,
      // The caller's deadline bounds all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    // An error no one reads the body for any more must not end the process.
    body.on('error', () => undefined);
    return { status: statusCode, headers, body, close };
  } catch (error) {
    close();
    throw error;
  }
}

function createConnect({ addresses, isAllowedAddress }: Destination): buildConnector.connector {
  const connect = buildConnector({ timeout: CONNECT_MS, lookup: answerWith(addresses), maxCachedSessions: 0 });
  return (options, callback) =>
    connect(options, (...outcome) => {
      const [error, socket] = outcome;
      if (error !== null) return callback(error, null);
      if (isAllowedAddress(socket.remoteAddress ?? '')) return callback(null, socket);
      socket.destroy();
      callback(new Error('the connection led to an address that is not allowed'), null);
    });
}

function answerWith(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, options, callback) => {
    const [first] = found;
    if (options.all === true) callback(null, found);
    else callback(null, first?.address ?? '', first?.family);
  };
}
