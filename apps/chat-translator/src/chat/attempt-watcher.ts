import { noteAttempts, type NoteParts } from '@weir/exchange';
import type { WorkerRequest } from '@weir/http-server';
import type { RunWatcher } from '@weir/routing';
import { openAttempt, type Till } from '@weir/usage-journal';

export type AttemptWatcherParts = Pick<NoteParts, 'tellsOutcomes'> & { readonly till: Till };

/** What is noted of a request's attempts besides their usage. */
export function watchAttempts(work: WorkerRequest, { till, tellsOutcomes }: AttemptWatcherParts): RunWatcher {
  return noteAttempts(work, { tellsOutcomes, openUnsent: (index) => openAttempt(till, work.passport, { index, promptEstimate: 0 }) });
}
