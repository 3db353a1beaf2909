import { NO_USAGE } from '@weir/canonical';
import type { OpenAttempt } from '@weir/meter';
import { encodeOutcome, OUTCOMES_HEADER, type AttemptOutcome, type AttemptPlace } from '@weir/routing';
import type { ServerResponse } from 'node:http';
import { describeFailure } from './outcome';

type Noted = { readonly place: AttemptPlace; readonly outcome: AttemptOutcome };

/**
 * Notes in the head of a response what became of an attempt. `reported` are the outcomes before it, as an edge in another process
 * reads them; null where the edge is in this one. Returns them with this one.
 */
export function noteOutcome(response: ServerResponse, { place, outcome }: Noted, reported: string | null): string {
  if (response.headersSent) return reported ?? '';
  // A refusal reports it too; a response writes its own head over it.
  if (outcome.error !== undefined && place.number > 0) response.setHeader('x-weir-attempts', String(place.number));
  if (reported === null) return '';
  const outcomes = encodeOutcome(reported, place, outcome);
  response.setHeader(OUTCOMES_HEADER, outcomes);
  return outcomes;
}

/** An attempt that was never sent used nothing, but it is the one that ended the request, and so the one that counts it. */
export function closeUnsent(attempt: OpenAttempt, error: unknown): void {
  attempt.close({ usage: NO_USAGE, isLogical: true, ...describeFailure(error) });
}
