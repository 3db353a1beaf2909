import { connect } from 'node:net';

/** What came back: all bytes until the other side closed, or undefined when it did not within the time. */
export type RawReply = { readonly bytes: Buffer; readonly isClosed: boolean };

/** Not at once: a caller who says so before the answer counts as gone. */
const NOTHING_MORE_AFTER_MS = 500;

type RawCall = {
  readonly bytes: Buffer;
  /** Less than what its head promises may have been sent: after a while it is said that nothing more comes. */
  readonly isPartial: boolean;
  readonly timeoutMs: number;
};

/** Sends bytes over a connection of their own and reads until it is closed. Never rejects: a reset is an answer as well. */
export function sendRaw(address: { host: string; port: number }, { bytes, isPartial, timeoutMs }: RawCall): Promise<RawReply> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(address);
    const timer = setTimeout(() => settle(false), timeoutMs);
    const settle = (isClosed: boolean): void => {
      clearTimeout(timer);
      clearTimeout(end);
      socket.destroy();
      resolve({ bytes: Buffer.concat(chunks), isClosed });
    };
    const end = isPartial ? setTimeout(() => socket.end(), NOTHING_MORE_AFTER_MS) : undefined;
    socket.on('data', (chunk) => {
      clearTimeout(end);
      chunks.push(chunk);
    });
    socket.on('error', () => settle(true));
    socket.on('close', () => settle(true));
    socket.write(bytes);
  });
}
