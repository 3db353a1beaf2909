import { GatewayError } from '@weir/errors';

/** Marks a response that was sent before for the same key. */
export const REPLAYED_HEADER = 'idempotency-replayed';

const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

/** The value of the Idempotency-Key header; undefined without one. Throws `invalid_request` for a value that is none. */
export function readIdempotencyKey(value: string | string[] | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && KEY_FORM.test(value)) return value;
  throw new GatewayError('invalid_request', '`Idempotency-Key` must have 1 to 255 visible ASCII characters.', { field: 'Idempotency-Key' });
}

/** Why a request is neither carried out nor answered under its key. */
export function refuseSecondRequest(kind: 'mismatch' | 'running' | 'lost'): GatewayError {
  if (kind === 'mismatch') {
    return new GatewayError('idempotency_key_reused', 'This Idempotency-Key was used for another request; send a new one with this.');
  }
  if (kind === 'running') {
    return new GatewayError(
      'idempotency_in_progress',
      'The same request is being carried out at this moment. Send it again for its answer.',
      { retryAfterSeconds: 1 },
    );
  }
  return new GatewayError(
    'idempotency_reply_lost',
    'The request under this Idempotency-Key was carried out, but its answer was lost. See what is there; to do it again, send a new key.',
  );
}
