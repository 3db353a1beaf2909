import type { GatewayError } from '@weir/errors';
import { describeFailure, OK, type Outcome } from '@weir/exchange';
import type { StreamGuard } from '@weir/guardrails';
import type { ChatSession } from '../session/chat-session';
import type { OpenExchange } from '../exchange/open-exchange';

/** Where the events of a stream, in the caller's dialect, pass the guardrails. */
export type StreamGate = {
  /** Takes whole events; returns those that may pass now. */
  pass(frames: string): string;
  /** All texts have ended: returns what was buffered until then. */
  flush(): string;
  /** The outcome of the attempt in its usage event, by the guardrails alone. */
  outcome(): Outcome;
  refusal(): GatewayError | undefined;
  /** Once refused: events that were buffered, because the usage may be in them. */
  takeBuffered(): string;
  /**
   * What a refused caller gets: the encoded refusal the first time, nothing after that. Throws the refusal where it is cheaper
   * to stop the provider; elsewhere the stream is read to its end, for the usage.
   */
  refuse(encodeRefusal: () => string): string;
};

/** Undefined where no guardrail checks replies. */
export function openStreamGate({ guard, dialect }: ChatSession, exchange: OpenExchange): StreamGate | undefined {
  if (guard?.concernsReplies() !== true) return undefined;
  let opened: StreamGuard | undefined;
  /** Opened when the first event arrives: scanners have returned their findings by then. */
  const stream = (): StreamGuard => (opened ??= guard.openStream(dialect));
  const isReadOn = guard.needsWholeReplies || exchange.lane.provider.onCancel === 'drain';
  let isRefusalSent = false;
  return {
    pass: (frames) => stream().push(frames),
    flush: () => stream().end(),
    outcome: () => {
      const refusal = guard.refusal();
      return refusal === undefined ? OK : describeFailure(refusal);
    },
    refusal: () => guard.refusal(),
    takeBuffered: () => stream().takeBuffered(),
    refuse: (encodeRefusal) => {
      const refusal = guard.refusal();
      if (!isReadOn && refusal !== undefined) throw refusal;
      if (isRefusalSent) return '';
      isRefusalSent = true;
      return encodeRefusal();
    },
  };
}
