import type { Duplex } from 'node:stream';
import { encodeFrame, FrameReader } from './frame-reader';

/** What one end serves to the other, by name. What they return, or resolve to, is the result. */
export type LinkHandlers = Readonly<Record<string, (...args: never[]) => unknown>>;

/** One of the two ends of a link: either calls what the other serves. */
export type Link = {
  /** Adds to what is served to the other end. */
  serve(handlers: LinkHandlers): void;
  /** Calls what the other end serves. Rejects when it rejects, is silent for too long, or is gone. */
  call<Result>(name: string, ...args: readonly unknown[]): Promise<Result>;
  /** The same without a result; what becomes of it is not known. */
  notify(name: string, ...args: readonly unknown[]): void;
  /** Calls back once, when the link is lost; at once when it is lost already. */
  onLost(listener: () => void): void;
  close(): void;
};

type LinkOptions = {
  /** A call that takes longer has failed. */
  readonly timeoutMs?: number;
  /** What waits to be sent to an end that does not read; above it, calls are rejected. */
  readonly waitingBytesMax?: number;
};

/** The other end is gone, or does not reply. */
export class LinkLostError extends Error {
  constructor(message = 'the process at the other end of the link is gone') {
    super(message);
    this.name = 'LinkLostError';
  }
}

type Call = readonly [id: number, name: string, args: readonly unknown[]];
type Reply = readonly [id: number, isDone: boolean, result: unknown];
type Waiting = { readonly resolve: (result: never) => void; readonly reject: (error: Error) => void; readonly atMs: number };

const TIMEOUT_MS = 5_000;
const WAITING_BYTES_MAX = 32 * 1024 * 1024;
const SWEEPS_PER_TIMEOUT = 5;
/** Of a call whose result no one waits for. */
const NO_REPLY = 0;

export function createLink(socket: Duplex, options: LinkOptions = {}): Link {
  return new SocketLink(socket, options);
}

class SocketLink implements Link {
  private readonly handlers = new Map<string, (...args: never[]) => unknown>();
  private readonly reader = new FrameReader();
  private readonly waiting = new Map<number, Waiting>();
  private readonly listeners: (() => void)[] = [];
  private readonly timeoutMs: number;
  private readonly sweep: NodeJS.Timeout;
  private outgoing: (Call | Reply)[] = [];
  private lastId = NO_REPLY;
  private isLost = false;

  constructor(
    private readonly socket: Duplex,
    private readonly options: LinkOptions,
  ) {
    this.timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.sweep = setInterval(() => this.rejectLate(), this.timeoutMs / SWEEPS_PER_TIMEOUT).unref();
    socket.on('data', (piece: Buffer) => this.take(piece));
    for (const event of ['end', 'close', 'error']) socket.on(event, () => this.lose());
  }

  serve(handlers: LinkHandlers): void {
    for (const [name, handler] of Object.entries(handlers)) this.handlers.set(name, handler);
  }

  call<Result>(name: string, ...args: readonly unknown[]): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (this.isLost) return reject(new LinkLostError());
      if (this.socket.writableLength > (this.options.waitingBytesMax ?? WAITING_BYTES_MAX)) {
        return reject(new LinkLostError('the process at the other end of the link does not read'));
      }
      this.lastId += 1;
      this.waiting.set(this.lastId, { resolve: resolve as (result: never) => void, reject, atMs: performance.now() });
      this.send([this.lastId, name, args]);
    });
  }

  notify(name: string, ...args: readonly unknown[]): void {
    if (!this.isLost) this.send([NO_REPLY, name, args]);
  }

  onLost(listener: () => void): void {
    if (this.isLost) listener();
    else this.listeners.push(listener);
  }

  close(): void {
    this.flush();
    this.lose();
  }

  /** All that is said before the loop looks for input again leaves in one message: a reply could not be read any earlier. */
  private send(item: Call | Reply): void {
    if (this.outgoing.push(item) === 1) setImmediate(() => this.flush());
  }

  private flush(): void {
    const items = this.outgoing;
    if (items.length === 0 || this.isLost) return;
    this.outgoing = [];
    this.socket.write(encodeFrame(items));
  }

  private take(piece: Buffer): void {
    try {
      for (const items of this.reader.read(piece) as (Call | Reply)[][]) for (const item of items) this.takeItem(item);
    } catch {
      this.lose(); // nothing that follows can be understood
    }
  }

  private takeItem(item: Call | Reply): void {
    if (isCall(item)) return this.answer(item);
    const [id, isDone, result] = item;
    const waiting = this.waiting.get(id);
    if (waiting === undefined) return; // it came too late
    this.waiting.delete(id);
    if (isDone) waiting.resolve(result as never);
    else waiting.reject(new Error(String(result)));
  }

  private answer([id, name, args]: Call): void {
    const handler = this.handlers.get(name);
    const fail = (error: unknown): void => {
      if (id !== NO_REPLY) this.send([id, false, error instanceof Error ? error.message : String(error)]);
    };
    if (handler === undefined) return fail(`nothing called ${name} is served`);
    try {
      Promise.resolve(handler(...(args as never[]))).then((result) => {
        if (id !== NO_REPLY && !this.isLost) this.send([id, true, result]);
      }, fail);
    } catch (error) {
      fail(error);
    }
  }

  private rejectLate(): void {
    const before = performance.now() - this.timeoutMs;
    for (const [id, { atMs, reject }] of this.waiting) {
      if (atMs > before) return; // in the order in which they were made
      this.waiting.delete(id);
      reject(new LinkLostError(`the process at the other end of the link did not reply within ${this.timeoutMs} ms`));
    }
  }

  private lose(): void {
    if (this.isLost) return;
    this.isLost = true;
    clearInterval(this.sweep);
    this.socket.destroy();
    for (const { reject } of this.waiting.values()) reject(new LinkLostError());
    this.waiting.clear();
    for (const listener of this.listeners.splice(0)) listener();
  }
}

function isCall(item: Call | Reply): item is Call {
  return typeof item[1] === 'string';
}
