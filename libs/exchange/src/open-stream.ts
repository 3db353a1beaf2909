import { pumpStream, type PumpOptions, type StreamLane, type StreamSession } from './pump-stream';
import type { PumpedExchange } from './pumped-exchange';

export type { StreamLane };
export type StreamOptions = PumpOptions;

type WaitForEnd = () => Promise<void>;

type StreamPlace = {
  readonly session: StreamSession;
  readonly exchange: PumpedExchange;
  readonly sendHead: () => void;
  /** Whether another attempt may follow while the beginning is held back. */
  readonly mayBeFollowed: boolean;
};

/**
 * Passes a stream on, once it is under way. Returns how to wait for its end. Where another attempt may follow it is a promise, which
 * rejects with what failed before that; elsewhere the wait does.
 */
export function openStream(lane: StreamLane, place: StreamPlace, options: StreamOptions): WaitForEnd | Promise<WaitForEnd> {
  const { session, exchange, sendHead, mayBeFollowed } = place;
  const begin = (): void => {
    if (!session.response.destroyed) sendHead();
  };
  if (!mayBeFollowed) {
    const over = pumpStream({ session, exchange, lane, mayBeFollowed, commit: begin }, options);
    return () => over;
  }
  return new Promise((resolve, reject) => {
    const commit = (): void => {
      begin();
      resolve(() => over);
    };
    const over = pumpStream({ session, exchange, lane, mayBeFollowed, commit }, options);
    over.catch(reject);
  });
}
