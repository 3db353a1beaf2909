import { GatewayError } from '@weir/errors';

/** Years of more digits are written in another way, which Postgres does not read. */
const LATEST_MS = Date.UTC(10_000, 0);

/** When a key shall expire; null is never. A moment that has passed is more likely a mistake than a wish. */
export function readExpiry(text: string | null, nowMs: number): Date | null {
  if (text === null) return null;
  const at = new Date(text);
  if (!(at.getTime() > nowMs)) {
    throw new GatewayError('invalid_request', '`expires_at` must be in the future; to end a key at once, delete it.', {
      field: 'expires_at',
    });
  }
  if (at.getTime() >= LATEST_MS) {
    throw new GatewayError('invalid_request', '`expires_at` must be before the year 10000; null is never.', { field: 'expires_at' });
  }
  return at;
}
