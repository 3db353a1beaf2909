import type { ChatDialect } from '@weir/contracts';
import type { StreamGate } from './stream-gate';
import { withoutOutput } from './without-output';

/** An in-band error as it may be sent: in a dialect whose error repeats the reply, only what passed the guardrails is repeated. */
export function gateFailure(failure: string, gate: StreamGate | undefined, dialect: ChatDialect): string {
  if (gate === undefined) return failure;
  const passed = gate.refusal() === undefined ? gate.pass(failure) + gate.flush() : '';
  return gate.refusal() === undefined ? passed : withoutOutput(failure, dialect);
}
