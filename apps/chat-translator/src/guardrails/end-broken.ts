import type { GatewayError } from '@weir/errors';
import type { StreamGate } from './stream-gate';

export type BrokenEnd = {
  /** What waited for words that do not come any more, and may pass as it stands. */
  readonly passed: string;
  /** What to tell after it: a refusal, where looking through the rest found one. */
  readonly failure: GatewayError;
};

/** The end of a stream that its provider broke. To be asked before it is settled: the verdict may change by it. */
export function endBroken(gate: StreamGate | undefined, error: GatewayError): BrokenEnd {
  if (gate === undefined || gate.refusal() !== undefined) return { passed: '', failure: error };
  const passed = gate.flush();
  return { passed, failure: gate.refusal() ?? error };
}
