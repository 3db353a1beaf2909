import type { Passport } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { JournalUnavailableError } from '@weir/usage-journal';
import type { ExpectedUse, OpenAttempt, Meter } from '../meter';

const RETRY_AFTER_SECONDS = 30;

/** Why a request is refused while its usage could not be journalled: nothing runs unmetered. */
export function describeUnmetered(cause?: unknown): GatewayError {
  return new GatewayError('overloaded', 'The gateway cannot record usage at the moment. Try again shortly.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Opens an attempt in the journal; one that filled up or failed since the request was let in refuses it like any other. */
export function openAttempt(
  meter: Meter,
  passport: Passport,
  place: { readonly index: number; readonly promptEstimate: ExpectedUse },
): OpenAttempt {
  try {
    return meter.openAttempt(passport, place.index, place.promptEstimate);
  } catch (error) {
    throw error instanceof JournalUnavailableError ? describeUnmetered(error) : error;
  }
}
