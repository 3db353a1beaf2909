import { pumpStream, type PumpOptions, type StreamSession } from './pump-stream';
import type { PumpedExchange, StreamConsumer } from './pumped-exchange';

/** How a lane passes a stream on. */
export type StreamLane = {
  readonly consumer: StreamConsumer;
  readonly heartbeat: string;
  /** Whether more came than what every stream begins with. */
  readonly isUnderWay: () => boolean;
  /** Failed with nothing passed on. Settles. */
  readonly drop: (error: unknown) => void;
};

export type StreamOptions = PumpOptions;

type WaitForEnd = () => Promise<void>;

type StreamPlace = {
  readonly session: StreamSession;
  readonly exchange: PumpedExchange;
  readonly sendHead: () => void;
  /** Whether the beginning waits until it is certain: a failure before that can be reported with its status, or tried elsewhere. */
  readonly isHeldBack: boolean;
};

/**
 * Passes a stream on. One that is held back begins when it is under way, or when the caller has to hear something, and a
 * failure before that rejects. Says how to wait for its end.
 */
export function openStream(lane: StreamLane, place: StreamPlace, options: StreamOptions): WaitForEnd | Promise<WaitForEnd> {
  const { consumer, heartbeat, isUnderWay } = lane;
  const { session, exchange, sendHead } = place;
  if (!place.isHeldBack) {
    sendHead();
    const over = pumpStream({ session, exchange, consumer, heartbeat }, options);
    return () => over;
  }
  return new Promise((resolve, reject) => {
    const commit = (): void => {
      if (!session.response.destroyed) sendHead();
      resolve(() => over);
    };
    const drop = (error: unknown): void => {
      lane.drop(error);
      reject(error as Error);
    };
    const over = pumpStream({ session, exchange, consumer, heartbeat, opening: { isUnderWay, commit, drop } }, options);
  });
}
