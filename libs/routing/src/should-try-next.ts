import { GatewayError, isAccountRefusal, type ErrorCode } from '@weir/errors';

/** Whether a failed attempt may be followed by another one elsewhere: only for faults that are not the caller's. */
export function shouldTryNext(error: unknown): boolean {
  if (!(error instanceof GatewayError) || error.origin !== 'provider') return false;
  return error.isRetryable || isAccountRefusal(error.code);
}

/** Why one place cannot be asked at all, where another one may. */
const UNASKABLE: ReadonlySet<ErrorCode> = new Set(['unsupported_field', 'model_not_found', 'provider_not_configured']);

/** The same, also for an attempt that was given up before anything was sent, because its provider has no words for the request. */
export function shouldTryElsewhere(error: unknown, isSent: boolean): boolean {
  return shouldTryNext(error) || (!isSent && error instanceof GatewayError && UNASKABLE.has(error.code));
}

/** A provider that asks for a longer pause is not retried: another place is tried, or the request fails. */
const RETRY_AFTER_MS_MAX = 5_000;
const WAIT_MS_MIN = 100;
const FIRST_WAIT_MS_MAX = 250;
const WAIT_MS_MAX = 2_000;

/**
 * How long to wait before trying the same place again: as long as its provider said, or a random time up to a limit that
 * doubles with each try. Undefined when trying there again is of no use.
 */
export function planRetry(
  error: unknown,
  { tries, random }: { readonly tries: number; readonly random: () => number },
): { readonly waitMs: number } | undefined {
  if (!(error instanceof GatewayError) || error.origin !== 'provider' || !error.isRetryable) return undefined;
  const { retryAfterSeconds } = error.details;
  if (retryAfterSeconds !== undefined) {
    const waitMs = Math.max(WAIT_MS_MIN, retryAfterSeconds * 1000);
    return waitMs > RETRY_AFTER_MS_MAX ? undefined : { waitMs };
  }
  const most = Math.min(WAIT_MS_MAX, FIRST_WAIT_MS_MAX * 2 ** tries);
  return { waitMs: WAIT_MS_MIN + random() * (most - WAIT_MS_MIN) };
}
