import type { OpenAttempt } from '@weir/usage-journal';
import type { RequestGuard } from './request-guard';

/** An attempt whose usage tells what the guardrails made of it. */
export function watchVerdict(attempt: OpenAttempt, guard: RequestGuard | undefined): OpenAttempt {
  if (guard === undefined) return attempt;
  return {
    eventId: attempt.eventId,
    progress: (outputTokens) => attempt.progress(outputTokens),
    noteFirstByte: () => attempt.noteFirstByte(),
    close: (facts) => attempt.close({ guardrail: guard.verdict(), ...facts }),
  };
}
