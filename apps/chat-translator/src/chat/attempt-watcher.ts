import { noteAttempts, type NoteParts } from '@weir/exchange';
import type { ForwardedRequest } from '@weir/http-server';
import type { RunWatcher } from '@weir/routing';
import { openAttempt, type Meter } from '@weir/usage-journal';

export type AttemptWatcherParts = Pick<NoteParts, 'reportsOutcomes'> & { readonly meter: Meter };

/** What is noted of a request's attempts besides their usage. */
export function watchAttempts(forwarded: ForwardedRequest, { meter, reportsOutcomes }: AttemptWatcherParts): RunWatcher {
  return noteAttempts(forwarded, {
    reportsOutcomes,
    openUnsent: (index) => openAttempt(meter, forwarded.passport, { index, promptEstimate: 0 }),
  });
}
