import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pickResponseHeaders, type RecordedResponse } from './recorded-response';

/** How the recording ended: the whole response, one that was too large to be recorded, or one that was cut before its end. */
export type ResponseOutcome = { readonly kind: 'whole'; readonly response: RecordedResponse } | { readonly kind: 'too-large' | 'cut' };

type RecordOptions = {
  readonly bytesMax: number;
  /** The request is carried to its end although its caller left: a repetition of it finds the response. */
  readonly outlivesCaller: boolean;
  /** Called once. The last bytes of the response wait for it, so a caller that has seen the end finds it recorded. Never rejects. */
  readonly onOver: (outcome: ResponseOutcome) => Promise<void>;
};

type Write = ServerResponse['write'];
type Rest = readonly unknown[];

/**
 * Records what goes through a response from here on, without touching it. Works on the response itself, because in one
 * process the worker writes to it directly.
 */
export function recordResponse(response: ServerResponse, options: RecordOptions): void {
  const addTrailers = response.addTrailers.bind(response);
  const original = {
    write: response.write.bind(response) as (...args: Rest) => boolean,
    end: response.end.bind(response) as (...args: Rest) => ServerResponse,
    destroy: response.destroy.bind(response),
  };
  const tape = createTape(options.bytesMax);
  const caller = options.outlivesCaller ? outliveCaller(response) : STAYING;
  let isOver = false;

  const settle = (outcome: () => ResponseOutcome): Promise<void> => {
    if (isOver) return Promise.resolve();
    isOver = true;
    return options.onOver(outcome());
  };
  const listenerOf = (args: Rest): (() => void) | undefined => args.find((arg): arg is () => void => typeof arg === 'function');

  response.write = ((...args: Rest): boolean => {
    tape.keep(args);
    if (!caller.isGone()) return original.write(...args);
    listenerOf(args)?.();
    return true;
  }) as Write;

  response.addTrailers = (trailers): void => {
    tape.keepTrailers(Object.fromEntries(Array.isArray(trailers) ? trailers : Object.entries(trailers)) as OutgoingHttpHeaders);
    addTrailers(trailers);
  };

  response.end = ((...args: Rest): ServerResponse => {
    tape.keep(args);
    const outcome = (): ResponseOutcome => tape.stop(response);
    void settle(outcome).finally(() => {
      if (!caller.isGone()) original.end(...args);
      listenerOf(caller.isGone() ? args : [])?.();
      caller.release();
    });
    return response;
  }) as ServerResponse['end'];

  response.destroy = (error?: Error): ServerResponse => {
    void settle(() => ({ kind: 'cut' })).finally(() => {
      original.destroy(error);
      caller.release();
    });
    return response;
  };

  if (!options.outlivesCaller) response.once('close', () => void settle(() => ({ kind: 'cut' })));
}

type Tape = { keep(args: Rest): void; keepTrailers(trailers: OutgoingHttpHeaders): void; stop(response: ServerResponse): ResponseOutcome };

function createTape(bytesMax: number): Tape {
  let chunks: Buffer[] | undefined = [];
  let size = 0;
  let late: OutgoingHttpHeaders = {};
  return {
    keepTrailers: (trailers) => {
      late = { ...late, ...trailers };
    },
    keep: ([chunk, encoding]) => {
      if (chunks === undefined || chunk === null || chunk === undefined || typeof chunk === 'function') return;
      const bytes =
        typeof chunk === 'string' ? Buffer.from(chunk, isEncoding(encoding) ? encoding : 'utf8') : Buffer.from(chunk as Uint8Array);
      size += bytes.length;
      if (size > bytesMax) chunks = undefined;
      else chunks.push(bytes);
    },
    stop: (response) => {
      if (chunks === undefined) return { kind: 'too-large' };
      const body = Buffer.concat(chunks);
      chunks = [];
      return { kind: 'whole', response: { status: response.statusCode, headers: pickResponseHeaders(response.getHeaders(), late), body } };
    },
  };
}

function isEncoding(value: unknown): value is BufferEncoding {
  return typeof value === 'string' && Buffer.isEncoding(value);
}

type Caller = { isGone(): boolean; release(): void };

const STAYING: Caller = { isGone: () => false, release: () => undefined };

/**
 * Hides from all listeners that the caller's connection closed, until `release`: writers see `drain` and go on, and what
 * they write goes nowhere but into the recording.
 */
function outliveCaller(response: ServerResponse): Caller {
  const emit = response.emit.bind(response) as (event: string | symbol, ...args: Rest) => boolean;
  let isGone = false;
  let isReleased = false;
  let isDestroyed = response.destroyed;
  // The server itself sets it when the connection closes.
  Object.defineProperty(response, 'destroyed', {
    configurable: true,
    get: () => isDestroyed && isReleased,
    set: (value: boolean) => {
      isDestroyed = value;
    },
  });
  response.emit = (event: string | symbol, ...args: Rest): boolean => {
    if (event !== 'close' || isReleased) return emit(event, ...args);
    isGone = true;
    return emit('drain');
  };
  return {
    isGone: () => isGone,
    release: () => {
      isReleased = true;
      if (isGone) setImmediate(() => emit('close'));
    },
  };
}
