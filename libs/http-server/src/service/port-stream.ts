import { Duplex } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';

/** One connection between two threads, as a stream of bytes: Node's HTTP server and client take it for a socket. */
export class PortStream extends Duplex {
  constructor(
    private readonly port: MessagePort,
    /** Of the client that the other thread speaks for. */
    readonly remoteAddress?: string,
  ) {
    super();
    port.on('message', (bytes: Uint8Array | null) => void this.push(bytes));
    port.on('close', () => void this.destroy());
  }

  override _read(): void {
    // The other thread sends as it comes: pages are small.
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    // As memory of its own: sent as it is, all of the pool that it stands in would go along.
    const bytes = Uint8Array.from(chunk);
    this.port.postMessage(bytes, [bytes.buffer]);
    done();
  }

  override _final(done: () => void): void {
    this.port.postMessage(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.port.close();
    done(error);
  }
}
