import { noteAttempts, type NoteParts } from '@weir/exchange';
import type { ForwardedRequest } from '@weir/http-server';
import type { RunWatcher } from '@weir/routing';
import { openAttempt, type Meter } from '@weir/meter';

type AttemptWatcherParts = Pick<NoteParts, 'reportsOutcomes'> & { readonly meter: Meter };

/** Records the outcomes of a request's attempts, and opens a usage event for those that were never sent. */
export function watchAttempts(forwarded: ForwardedRequest, { meter, reportsOutcomes }: AttemptWatcherParts): RunWatcher {
  const { passport } = forwarded;
  return noteAttempts(forwarded, { reportsOutcomes, openUnsent: (index) => openAttempt(meter, passport, { index, promptEstimate: 0 }) });
}
