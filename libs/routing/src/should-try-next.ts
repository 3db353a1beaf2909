import { GatewayError } from '@weir/errors';

/** Whether a failed attempt may be followed by another one elsewhere: only for faults that are not the caller's. */
export function shouldTryNext(error: unknown): boolean {
  if (!(error instanceof GatewayError) || error.origin !== 'provider') return false;
  return error.isRetryable || error.code === 'provider_credentials';
}
