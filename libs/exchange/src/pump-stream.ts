import type { FailPoint } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { isIdleTimeout, type ReadCoalescer } from '@weir/upstream-http';
import { deadlines, type Deadline } from './deadlines';
import type { DrainLimit } from './drain-limit';
import { findHeartbeats, type Beating } from './heartbeats';
import { leaveStream } from './leave-stream';
import type { PumpedExchange, StreamConsumer } from './pumped-exchange';
import { ClientGone, type WatchedRequest } from './watched-request';

export type PumpOptions = {
  readonly heartbeatMs: number;
  /** Resolves when what is journalled is as durable as it was set to be; null when the last bytes need not wait for that. */
  readonly whenDurable: () => Promise<void> | null;
  readonly failPoint: FailPoint;
  readonly drains: DrainLimit;
  /** Where streams rest while their process has too much to do. */
  readonly rest: ReadCoalescer;
};

export type StreamSession = Pick<WatchedRequest, 'response' | 'signal' | 'onClientGone' | 'isCrowded'>;

/** How a lane passes a stream on. Its beginning is held back: what fails before that is reported by its status, or asked for elsewhere. */
export type StreamLane = {
  readonly consumer: StreamConsumer;
  /** What keeps a silent connection open once the reply is passed on. */
  readonly heartbeat: string;
  /** Whether what came is passed on, and with it all that follows. */
  readonly isUnderWay: () => boolean;
  /** Failed with nothing passed on. Settles. */
  readonly drop: (error: unknown) => void;
  /** Keeps the caller waiting without a word of this stream. Absent: silence commits it. */
  readonly wait?: (() => void) | undefined;
  /** Whether content of the reply came: it is passed on also when a failure came with it. Absent: what fails while held back is dropped. */
  readonly hasContent?: (() => boolean) | undefined;
  /** How long the first content is waited for. Absent: it may take its time. */
  readonly contentWithinMs?: number | undefined;
};

/** Passed over by clients of every dialect, wherever in a stream it stands. */
export const COMMENT = ': ping\n\n';

/** What a stream begins with repeats the request at most; more than that is passed on, whatever it is. */
const HELD_BYTES_MAX = 2 * 1024 * 1024;

type StreamParts = {
  readonly session: StreamSession;
  readonly exchange: PumpedExchange;
  readonly lane: StreamLane;
  /** Whether another attempt may follow while nothing was passed on: then it is not said here how this one ended. */
  readonly mayBeFollowed: boolean;
  /** Nothing is held back from here on. Sends the head. */
  readonly commit: () => void;
};

/**
 * Moves one upstream stream to the caller: with back-pressure, heartbeats in silence, and both sides' ends and failures.
 * Resolves when the stream is over for everyone. Rejects with what failed before anything was passed on.
 */
export function pumpStream(parts: StreamParts, options: PumpOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    new Pump(parts, options, { resolve, reject }).run();
  });
}

type PumpEnd = { readonly resolve: () => void; readonly reject: (error: GatewayError) => void };

/** What is taken in this time, or in one slice, is taken in one tick: other requests wait for it. */
const TICK_MS = 10;
const SLICE_BYTES_MIN = 2 * 1024;
const SLICE_BYTES_FIRST = 8 * 1024;
const SLICE_BYTES_MAX = 1024 * 1024;

class Pump implements Beating {
  hasWritten = false;
  silentSinceMs = performance.now();
  private isOver = false;
  private isFirst = true;
  /** The caller reads more slowly than the provider sends. */
  private isDraining = false;
  /** What is held back; null once nothing is. */
  private held: (string | Buffer)[] | null = [];
  private heldBytes = 0;
  /** Until the first content came. */
  private contentDue: Deadline | undefined;
  /** Bytes that may be the last wait until the journal is as durable as it was set to be. */
  private gate: Promise<void> | null = null;
  private stopBeating: () => void = () => undefined;
  /** So much is taken at once of a chunk that is longer: the less, the longer it takes. */
  private sliceBytes = SLICE_BYTES_FIRST;
  /** What the next tick takes, and what happens behind it. */
  private untaken: Buffer | null = null;
  private afterUntaken: (() => void) | undefined;

  constructor(
    private readonly parts: StreamParts,
    private readonly options: PumpOptions,
    private readonly over: PumpEnd,
  ) {}

  run(): void {
    const { exchange, session, lane } = this.parts;
    const { consumer, contentWithinMs } = lane;
    const { body } = exchange.upstream;
    exchange.place.noteStreaming();
    this.stopBeating = findHeartbeats(this.options.heartbeatMs).start(this);
    body.on('data', (chunk: Buffer) => this.take(chunk));
    body.on('end', () => this.afterAll(() => this.end()));
    body.on('error', (error: unknown) => this.afterAll(() => this.endBroken(error)));
    body.on('close', () => this.afterAll(() => this.endBroken(undefined)));
    if (contentWithinMs !== undefined) this.contentDue = deadlines.add(contentWithinMs, () => this.failLate());
    session.onClientGone(() => {
      if (this.isOver) return;
      // No one else is asked on behalf of a caller who left.
      this.commit();
      leaveStream({ exchange, consumer, body, isOver: () => this.isOver, finish: () => this.finish('') }, this.options.drains);
    });
  }

  /** Acts behind what came before: the first end of a body is its end. */
  private afterAll(act: () => void): void {
    if (this.untaken === null) act();
    else this.afterUntaken ??= act;
  }

  private take(chunk: Buffer): void {
    if (this.untaken !== null) this.untaken = Buffer.concat([this.untaken, chunk]);
    else if (chunk.length <= SLICE_BYTES_FIRST && chunk.length <= this.sliceBytes) this.pass(chunk);
    else this.takeSlices(chunk);
  }

  /** A chunk of many small frames may take long: the rest of it waits until other requests have had their turn. */
  private takeSlices(chunk: Buffer): void {
    const beganMs = performance.now();
    let nowMs = beganMs;
    let at = 0;
    while (at < chunk.length && nowMs - beganMs < TICK_MS) {
      const slice = at === 0 && chunk.length <= this.sliceBytes ? chunk : chunk.subarray(at, at + this.sliceBytes);
      this.pass(slice);
      at += slice.length;
      const tookMs = performance.now() - nowMs;
      nowMs += tookMs;
      if (tookMs > TICK_MS / 2) this.sliceBytes = Math.max(SLICE_BYTES_MIN, this.sliceBytes / 2);
      else if (slice.length === this.sliceBytes) this.sliceBytes = Math.min(SLICE_BYTES_MAX, this.sliceBytes * 2);
    }
    if (at >= chunk.length || this.isOver) return;
    this.untaken = chunk.subarray(at);
    this.parts.exchange.upstream.body.pause();
    setImmediate(() => this.takeUntaken());
  }

  private takeUntaken(): void {
    const chunk = this.untaken;
    this.untaken = null;
    if (chunk !== null) this.takeSlices(chunk);
    if (this.untaken !== null) return;
    if (this.afterUntaken !== undefined) this.afterUntaken();
    else if (!this.isDraining && this.gate === null) this.parts.exchange.upstream.body.resume();
  }

  private pass(chunk: Buffer): void {
    if (this.isOver) return;
    const { exchange } = this.parts;
    const { consumer } = this.parts.lane;
    if (consumer.isOver?.() === true) {
      // Ends the reply by `close`, as complete.
      exchange.upstream.body.destroy();
      return;
    }
    if (this.isFirst) {
      this.isFirst = false;
      exchange.attempt.noteFirstByte();
    }
    try {
      const bytes = consumer.push(chunk);
      if (this.contentDue !== undefined) this.lookForContent();
      if (consumer.isSettled()) this.whenReleased(() => this.send(bytes));
      else this.send(bytes);
      this.options.failPoint('stream.after_first_byte');
    } catch (error) {
      // Passes on what came in front of the failure, in the same chunk.
      if (this.parts.lane.hasContent?.() === true) this.commit();
      this.fail(toStreamError(error));
      exchange.upstream.body.destroy();
    }
  }

  beat(): void {
    if (this.parts.session.response.writableNeedDrain) return;
    if (this.held === null) return this.send(this.parts.lane.heartbeat);
    const { wait } = this.parts.lane;
    if (wait !== undefined) return wait();
    this.commit();
    this.send(COMMENT);
  }

  private lookForContent(): void {
    if (this.parts.lane.hasContent?.() === true) this.stopWaiting();
  }

  private stopWaiting(): void {
    if (this.contentDue === undefined) return;
    deadlines.cancel(this.contentDue);
    this.contentDue = undefined;
  }

  private failLate(): void {
    this.contentDue = undefined;
    if (this.isOver) return;
    this.fail(
      new GatewayError(
        'provider_timeout',
        'The provider began its answer, but sent nothing of it in time. Try again, or use another model.',
      ),
    );
    this.parts.exchange.upstream.body.destroy();
  }

  private send(bytes: string | Buffer): void {
    if (this.held !== null) {
      this.held.push(bytes);
      this.heldBytes += bytes.length;
      if (this.heldBytes > HELD_BYTES_MAX || this.parts.lane.isUnderWay()) this.commit();
      return;
    }
    const { response, isCrowded } = this.parts.session;
    if (bytes.length === 0 || response.destroyed) return;
    this.hasWritten = true;
    if (!response.write(bytes)) this.waitForCaller();
    else if (isCrowded()) this.options.rest(this.parts.exchange.upstream.body);
  }

  private waitForCaller(): void {
    const { body } = this.parts.exchange.upstream;
    body.pause();
    if (this.isDraining) return;
    this.isDraining = true;
    this.parts.session.response.once('drain', () => {
      this.isDraining = false;
      body.resume();
    });
  }

  private commit(): void {
    if (this.held === null) return;
    const bytes = this.held;
    this.held = null;
    this.parts.commit();
    for (const each of bytes) this.send(each);
  }

  /** Acts when what may be the last bytes may go out. */
  private whenReleased(act: () => void): void {
    const { session, exchange } = this.parts;
    this.options.failPoint('stream.before_terminal');
    const durable = this.options.whenDurable();
    if (durable === null && this.gate === null) return act();
    const { body } = exchange.upstream;
    body.pause();
    this.gate = Promise.all([this.gate, durable]).then(
      () => {
        act();
        body.resume();
      },
      () => void session.response.destroy(), // the disk failed: an answer no one could account for is not completed
    );
  }

  private finish(last: string | Buffer): void {
    if (this.isOver) return;
    this.commit();
    this.isOver = true;
    this.stopBeating();
    this.stopWaiting();
    const { response } = this.parts.session;
    const endResponse = (): void => {
      if (!response.destroyed) response.end(last);
    };
    if (this.parts.lane.consumer.isSettled()) this.whenReleased(endResponse);
    else endResponse();
    if (this.gate === null) this.over.resolve();
    else void this.gate.then(this.over.resolve);
  }

  private end(): void {
    if (this.isOver) return;
    try {
      const { consumer } = this.parts.lane;
      this.finish(consumer.end());
      this.parts.exchange.place.noteOver(consumer.failure?.());
    } catch (error) {
      this.fail(toStreamError(error));
    }
  }

  private endBroken(error: unknown): void {
    if (this.isOver) return;
    const { session, lane } = this.parts;
    const { consumer } = lane;
    if (consumer.isComplete()) return this.end();
    const reason: unknown = session.signal.aborted ? session.signal.reason : error;
    if (!(reason instanceof ClientGone)) return this.fail(toStreamError(reason));
    consumer.abandon(false);
    this.finish('');
  }

  /** A caller who reads too slowly lets the deadline pass, or the provider time out: the provider is not to blame. */
  private noteBroken(error: GatewayError): void {
    const { session, exchange } = this.parts;
    if (!session.signal.aborted && !session.response.writableNeedDrain) exchange.place.noteOver(error);
  }

  private fail(error: GatewayError): void {
    const { lane, mayBeFollowed } = this.parts;
    if (this.held === null || !mayBeFollowed) this.noteBroken(error);
    if (this.held === null) return this.finish(lane.consumer.fail(error));
    this.isOver = true;
    this.stopBeating();
    this.stopWaiting();
    lane.drop(error);
    this.over.reject(error);
  }
}

function toStreamError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (isIdleTimeout(error))
    return new GatewayError('provider_timeout', 'The provider stopped sending before its answer was complete. Try again.', {
      cause: error,
    });
  return new GatewayError('provider_stream_cut', 'The connection to the provider broke before its answer was complete. Try again.', {
    cause: error,
  });
}
