import { GatewayError } from '@weir/errors';

/** Whether a failed attempt may be followed by another one elsewhere: only for faults that are not the caller's. */
export function shouldTryNext(error: unknown): boolean {
  if (!(error instanceof GatewayError) || error.origin !== 'provider') return false;
  return error.isRetryable || error.code === 'provider_credentials';
}

/** Whether a failed attempt was the request's last one: the attempt that counts the request. */
export function endsRequest(error: unknown, { index, count }: { readonly index: number; readonly count: number }): boolean {
  return index + 1 >= count || !shouldTryNext(error);
}
