import { EventEmitter } from 'node:events';

/** The part of a readable stream that bodies are read by; node's own streams have it as well. */
export type UpstreamBody = {
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'end' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  pause(): unknown;
  resume(): unknown;
  destroy(error?: Error): unknown;
  /** Whether `end` was emitted. */
  readonly readableEnded: boolean;
  /** What came after the body, once `end` was emitted; lower-case names. */
  readonly trailers?: Readonly<Record<string, string>>;
  /**
   * Takes a body that is complete before anyone has begun to read it, as short ones are that come with their head. Then nothing is
   * emitted but `close`. Undefined, and the body as it was, where it is longer than `bytesMax`, incomplete or failed.
   */
  takeComplete?(bytesMax: number): Buffer | undefined;
};

/** Bytes that are buffered before anyone reads: as many as one read of the connection brings. */
const UNREAD_BYTES_MAX = 65_536;

/** What the connection lets its body do. */
export type BodySource = { pause(): void; resume(): void; abort(): void };

/**
 * A response body as events, without the machinery of a general stream. What comes with one read of the connection, often
 * many pieces of a stream, is handed over as one chunk, in the same tick. Begins to flow with the first `data` listener;
 * then emits `data`, one of `end` and `error`, and `close`. What came before a failure is emitted before it; an end that came with
 * the last bytes follows them in the same tick, also where its reader paused on them.
 */
export class ResponseBody extends EventEmitter implements UpstreamBody {
  readableEnded = false;
  trailers: Readonly<Record<string, string>> = {};
  private readonly waiting: Buffer[] = [];
  private waitingBytes = 0;
  /** The reader has asked for the body before: that it does not flow now is on purpose. */
  private hasFlowed = false;
  private isFlowing = false;
  private isFlowPlanned = false;
  private isClosed = false;
  private outcome: { readonly error: unknown } | 'end' | undefined;

  constructor(private readonly source: BodySource) {
    super();
  }

  override on(event: string, listener: (...details: never[]) => void): this {
    super.on(event, listener as () => void);
    if (event === 'data') this.resume();
    return this;
  }

  pause(): this {
    this.isFlowing = false;
    return this;
  }

  resume(): this {
    if (this.isFlowing || this.isClosed) return this;
    this.isFlowing = true;
    this.hasFlowed = true;
    this.planFlow();
    return this;
  }

  takeComplete(bytesMax: number): Buffer | undefined {
    if (this.outcome !== 'end' || this.hasFlowed || this.isClosed || this.waitingBytes > bytesMax) return undefined;
    const bytes = this.takeWaiting();
    this.readableEnded = true;
    this.close();
    return bytes;
  }

  /** Stops the request; nothing but `close` is emitted from here on. */
  destroy(): this {
    if (this.isClosed) return this;
    this.source.abort();
    this.close();
    return this;
  }

  /** From the connection: a piece of the body. */
  push(chunk: Buffer): void {
    if (this.isClosed) return;
    this.waiting.push(chunk);
    this.waitingBytes += chunk.length;
    if (this.isFlowing) this.planFlow();
    // The first pieces come with the head, before anyone can have asked for them: to stop there would cut one read in two.
    else if (this.hasFlowed || this.waitingBytes >= UNREAD_BYTES_MAX) this.source.pause();
  }

  /** From the connection: the body is complete. */
  end(trailers: Readonly<Record<string, string>> = {}): void {
    this.trailers = trailers;
    this.outcome ??= 'end';
    if (this.isFlowing && !this.isFlowPlanned) this.flow();
  }

  /** From the connection: no more will come. */
  fail(error: unknown): void {
    this.outcome ??= { error };
    if (this.isFlowing && !this.isFlowPlanned) this.flow();
  }

  /** From the reader: no more is wanted, for this reason. Buffered chunks are discarded. */
  cancel(error: unknown): void {
    if (this.isClosed || this.outcome === 'end') return;
    this.dropWaiting();
    this.outcome = { error };
    this.source.abort();
    this.resume();
    if (!this.isFlowPlanned) this.flow();
  }

  private planFlow(): void {
    if (this.isFlowPlanned) return;
    this.isFlowPlanned = true;
    process.nextTick(flow, this);
  }

  /** Called by `flow` alone. */
  flow(): void {
    this.isFlowPlanned = false;
    if (!this.isFlowing || this.isClosed) return;
    if (this.waiting.length > 0) this.emit('data', this.takeWaiting());
    if (this.isClosed) return;
    // A reader that paused on the last bytes has them all: with their end known at once, it passes both on in one write.
    if (this.outcome === 'end') return this.emitEnd();
    if (!this.isFlowing) return;
    if (this.outcome === undefined) return this.source.resume();
    if (this.listenerCount('error') > 0) this.emit('error', this.outcome.error);
    this.close();
  }

  private emitEnd(): void {
    this.readableEnded = true;
    this.emit('end');
    this.close();
  }

  private takeWaiting(): Buffer {
    const chunk = this.waiting.length === 1 ? (this.waiting[0] as Buffer) : Buffer.concat(this.waiting, this.waitingBytes);
    this.dropWaiting();
    return chunk;
  }

  private dropWaiting(): void {
    this.waiting.length = 0;
    this.waitingBytes = 0;
  }

  private close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.dropWaiting();
    queueMicrotask(() => this.emit('close'));
  }
}

function flow(body: ResponseBody): void {
  body.flow();
}
