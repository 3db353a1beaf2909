import type { GatewayError } from '@weir/errors';
import type { StreamGate } from './stream-gate';

type BrokenEnd = {
  /** Text that was buffered until more of it would arrive, and may pass as it is. */
  readonly passed: string;
  /** The error to send after it: a refusal, where checking the buffered text found one. */
  readonly failure: GatewayError;
};

/** Ends a stream that its provider broke. Call it before the stream is settled: the verdict may change by it. */
export function endBroken(gate: StreamGate | undefined, error: GatewayError): BrokenEnd {
  if (gate === undefined || gate.refusal() !== undefined) return { passed: '', failure: error };
  const passed = gate.flush();
  return { passed, failure: gate.refusal() ?? error };
}
