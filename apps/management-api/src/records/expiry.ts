import { GatewayError } from '@weir/errors';

/** When a key shall expire; null is never. A moment that has passed is more likely a mistake than a wish. */
export function readExpiry(text: string | null, nowMs: number): Date | null {
  if (text === null) return null;
  const at = new Date(text);
  if (!(at.getTime() > nowMs)) {
    throw new GatewayError('invalid_request', '`expires_at` must be in the future; to end a key at once, delete it.', {
      field: 'expires_at',
    });
  }
  return at;
}
