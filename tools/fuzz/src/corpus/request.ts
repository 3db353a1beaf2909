import type { ErrorDialect } from '@weir/contracts';

/** One request as it goes over the wire. */
export type FuzzRequest = {
  /** What is wrong with it, for the reader of a finding. */
  readonly about: string;
  readonly bytes: Buffer;
  /** In which shape an error has to come; undefined where the request is not even HTTP. */
  readonly dialect: ErrorDialect | undefined;
};

type Parts = { readonly method: string; readonly path: string; readonly headers: Readonly<Record<string, string>>; readonly body: Buffer };

/** A well-formed request around a body. */
export function encodeRequest({ method, path, headers, body }: Parts): Buffer {
  const lines = Object.entries({ host: 'gateway', connection: 'close', ...headers, 'content-length': String(body.length) });
  return Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`),
    body,
  ]);
}
