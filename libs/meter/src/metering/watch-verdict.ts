import type { UsageEvent } from '@weir/contracts';
import type { OpenAttempt } from '../meter';

/** Reports the guardrails' verdict on a request so far. */
type VerdictSource = { verdict(): NonNullable<UsageEvent['guardrail']> };

/** An attempt whose usage event holds the guardrails' verdict. */
export function watchVerdict(attempt: OpenAttempt, guard: VerdictSource | undefined): OpenAttempt {
  if (guard === undefined) return attempt;
  return {
    eventId: attempt.eventId,
    progress: (outputTokens) => attempt.progress(outputTokens),
    noteFirstByte: () => attempt.noteFirstByte(),
    close: (facts) => attempt.close({ guardrail: guard.verdict(), ...facts }),
  };
}
