import type { GatewayError } from '@weir/errors';
import { describeFailure, OK, type Outcome } from '@weir/exchange';
import type { StreamGuard } from '@weir/guardrails';
import type { ChatSession } from '../chat/chat-session';
import type { OpenExchange } from '../chat/open-exchange';

/** Where the events of a stream, in the caller's dialect, pass the guardrails. */
export type StreamGate = {
  /** Takes whole events; answers those that may pass now. */
  pass(frames: string): string;
  /** All texts are over: answers what waited for that. */
  flush(): string;
  /** How the attempt is told in its usage, as far as the guardrails go. */
  outcome(): Outcome;
  refusal(): GatewayError | undefined;
  /** Once refused: events that were held back, for whoever looks for the usage in them. */
  takeHeld(): string;
  /**
   * What a refused caller gets: `told` the first time, nothing after that. Throws the refusal where it is cheaper to stop the
   * provider; elsewhere the stream is read to its end, for the usage.
   */
  refuse(report: () => string): string;
};

/** Undefined where no guardrail concerns the answer. */
export function openStreamGate({ guard, dialect }: ChatSession, exchange: OpenExchange): StreamGate | undefined {
  if (guard?.concernsReplies !== true) return undefined;
  let opened: StreamGuard | undefined;
  /** Opened when the first event comes: scanners may have pointed something out by then. */
  const stream = (): StreamGuard => (opened ??= guard.openStream(dialect));
  const isReadOn = guard.needsWholeReplies || exchange.lane.provider.onCancel === 'drain';
  let isReported = false;
  return {
    pass: (frames) => stream().push(frames),
    flush: () => stream().end(),
    outcome: () => {
      const refusal = guard.refusal();
      return refusal === undefined ? OK : describeFailure(refusal);
    },
    refusal: () => guard.refusal(),
    takeHeld: () => stream().takeHeld(),
    refuse: (report) => {
      const refusal = guard.refusal();
      if (!isReadOn && refusal !== undefined) throw refusal;
      if (isReported) return '';
      isReported = true;
      return report();
    },
  };
}
