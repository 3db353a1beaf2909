import { NO_USAGE } from '@weir/canonical';
import type { ForwardedRequest } from '@weir/http-server';
import { encodeOutcome, OUTCOMES_HEADER, type RunWatcher } from '@weir/routing';
import { describeFailure, type Outcome } from './outcome';

/** An attempt in the journal that was never sent. */
type UnsentAttempt = { close(facts: Outcome & { readonly usage: typeof NO_USAGE; readonly isLogical: true }): unknown };

export type NoteParts = {
  readonly openUnsent: (index: number) => UnsentAttempt;
  /** True where the edge is another process: it learns of routes from a header, which it removes. */
  readonly reportsOutcomes: boolean;
};

/** What is noted of a request's attempts besides their usage. */
export function noteAttempts({ response }: Pick<ForwardedRequest, 'response'>, { openUnsent, reportsOutcomes }: NoteParts): RunWatcher {
  let reported = '';
  return {
    // It used nothing, but it is the one that ended the request, and so the one that counts it.
    onUnsent: ({ index }, error) => void openUnsent(index).close({ usage: NO_USAGE, isLogical: true, ...describeFailure(error) }),
    onOutcome: (attempt, outcome) => {
      if (response.headersSent) return;
      // A refusal reports it too; a response writes its own head over it.
      if (outcome.error !== undefined && attempt.number > 0) response.setHeader('x-weir-attempts', String(attempt.number));
      if (!reportsOutcomes) return;
      reported = encodeOutcome(reported, attempt, outcome);
      response.setHeader(OUTCOMES_HEADER, reported);
    },
  };
}
