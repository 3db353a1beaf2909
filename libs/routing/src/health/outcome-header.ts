import type { Attempt } from '@weir/contracts';
import { GatewayError, isErrorCode } from '@weir/errors';
import type { AttemptOutcome, RouteHealth } from './create-route-health';

/** Between a worker and the edge only: what became of a request's attempts, so that edges learn of routes from their own requests. */
export const OUTCOMES_HEADER = 'x-weir-outcomes';

/** `<place in the passport>:<error code, or ok>:<milliseconds to the first byte>`, after what was reported before. */
export function encodeOutcome(before: string, { index }: { readonly index: number }, { error, firstByteMs }: AttemptOutcome): string {
  const what = error === undefined ? 'ok' : error instanceof GatewayError ? error.code : 'other';
  const reported = `${index}:${what}:${firstByteMs === undefined ? '' : Math.round(firstByteMs)}`;
  return before === '' ? reported : `${before},${reported}`;
}

/** Records what a worker reported of a request. What cannot be read is left out. */
export function recordOutcomes(
  header: string,
  { attempts, stream: isStream }: { readonly attempts: readonly Attempt[]; readonly stream: boolean },
  health: Pick<RouteHealth, 'record'>,
): void {
  for (const reported of header.split(',')) {
    const [index = '', what = '', milliseconds = ''] = reported.split(':');
    const attempt = attempts[Number(index)];
    if (attempt === undefined || index === '' || what === 'other') continue;
    const error = isErrorCode(what) ? { error: new GatewayError(what, '') } : {};
    health.record(attempt, { isStream, ...error, ...(milliseconds === '' ? {} : { firstByteMs: Number(milliseconds) }) });
  }
}
