import type { FailPoint } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { isIdleTimeout } from '@weir/upstream-http';
import { ClientGone, type ChatSession } from './chat-session';
import type { DrainLimit } from './drain-limit';
import { leaveStream } from './leave-stream';
import type { OpenExchange } from './open-exchange';

/** What a lane does with the bytes of an upstream stream. Every call answers what to send to the caller ("" for nothing). */
export type StreamConsumer = {
  push(chunk: Buffer): string | Buffer;
  /** The upstream ended its connection in order. Settles if that has not happened yet. */
  end(): string;
  /** The upstream failed in mid-stream. Settles, and answers the dialect's in-band error. */
  fail(error: GatewayError): string;
  /**
   * The caller went away and the upstream was cut: settles with what is known; with the most that the answer may have
   * come to where its provider bills it whole.
   */
  abandon(isBilledWhole: boolean): void;
  /** Whether the usage is in the journal: from then on bytes may be the last ones. */
  isSettled(): boolean;
  /** Whether the terminal event has been passed on: what follows does not matter any more. */
  isComplete(): boolean;
};

export type PumpOptions = {
  readonly heartbeat: string;
  readonly heartbeatMs: number;
  /** Resolves when what is journalled also survives a power cut; null when the last bytes need not wait for that. */
  readonly whenDurable: (() => Promise<void>) | null;
  readonly failPoint: FailPoint;
  readonly drains: DrainLimit;
};

export type StreamParts = { readonly session: ChatSession; readonly exchange: OpenExchange; readonly consumer: StreamConsumer };

/**
 * Moves one upstream stream to the caller: with back-pressure, heartbeats in silence, and both sides' ends and failures.
 * Resolves when the stream is over for everyone.
 */
export function pumpStream({ session, exchange, consumer }: StreamParts, options: PumpOptions): Promise<void> {
  return new Promise((resolve) => {
    const { response } = session;
    const { body } = exchange.upstream;
    let isOver = false;
    let isFirst = true;
    let lastWriteMs = performance.now();

    const heartbeat = setInterval(() => {
      if (performance.now() - lastWriteMs < options.heartbeatMs || response.writableNeedDrain) return;
      send(options.heartbeat);
    }, options.heartbeatMs);

    const send = (bytes: string | Buffer): void => {
      if (bytes.length === 0 || response.destroyed) return;
      lastWriteMs = performance.now();
      if (response.write(bytes)) return;
      body.pause();
      response.once('drain', () => body.resume());
    };

    /** Bytes that may be the last wait until the journal is as durable as it was set to be. */
    let gate: Promise<void> | null = null;
    const whenReleased = (act: () => void): void => {
      if (!consumer.isSettled()) return act();
      options.failPoint('stream.before_terminal');
      if (options.whenDurable === null) return act();
      body.pause();
      gate = (gate ?? Promise.resolve()).then(options.whenDurable).then(
        () => {
          act();
          body.resume();
        },
        () => void response.destroy(), // the disk failed: an answer nobody could account for is not completed
      );
    };

    const finish = (last: string): void => {
      if (isOver) return;
      isOver = true;
      clearInterval(heartbeat);
      whenReleased(() => {
        if (!response.destroyed) response.end(last);
      });
      if (gate === null) resolve();
      else void gate.then(resolve);
    };

    body.on('data', (chunk: Buffer) => {
      if (isOver) return;
      if (isFirst) {
        isFirst = false;
        exchange.till.noteFirstByte();
      }
      try {
        const bytes = consumer.push(chunk);
        whenReleased(() => send(bytes));
        options.failPoint('stream.after_first_byte');
      } catch (error) {
        body.destroy();
        finish(consumer.fail(toStreamError(error)));
      }
    });
    body.on('end', () => finish(isOver ? '' : consumer.end()));
    body.on('error', (error: unknown) => finish(isOver ? '' : endBroken(session, consumer, error)));
    body.on('close', () => finish(isOver ? '' : endBroken(session, consumer, undefined)));
    session.onClientGone(() => leaveStream({ exchange, consumer, body, isOver: () => isOver, finish: () => finish('') }, options.drains));
  });
}

function endBroken(session: ChatSession, consumer: StreamConsumer, error: unknown): string {
  if (consumer.isComplete()) return consumer.end();
  const reason: unknown = session.signal.aborted ? session.signal.reason : error;
  if (reason instanceof ClientGone) {
    consumer.abandon(false);
    return '';
  }
  return consumer.fail(toStreamError(reason));
}

function toStreamError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (isIdleTimeout(error))
    return new GatewayError('provider_timeout', 'The provider stopped sending before its answer was complete.', { cause: error });
  return new GatewayError('provider_stream_cut', 'The connection to the provider broke before its answer was complete.', { cause: error });
}
