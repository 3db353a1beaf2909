import type { ChatDialect } from '@weir/contracts';
import type { StreamGate } from './stream-gate';
import { withoutOutput } from './without-output';

/** An in-band error as it may be told: dialects that tell the answer once more tell it as it passed. */
export function reportFailure(failure: string, gate: StreamGate | undefined, dialect: ChatDialect): string {
  if (gate === undefined) return failure;
  const passed = gate.refusal() === undefined ? gate.pass(failure) + gate.flush() : '';
  return gate.refusal() === undefined ? passed : withoutOutput(failure, dialect);
}
