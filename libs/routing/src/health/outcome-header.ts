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
export function recordOutcomes(header: string, reported: ReportedRequest, health: Pick<RouteHealth, 'record'>): void {
  for (let from = 0; from < header.length;) {
    const comma = header.indexOf(',', from);
    const end = comma === -1 ? header.length : comma;
    recordOutcome(header.slice(from, end), reported, health);
    from = end + 1;
  }
}

type ReportedRequest = { readonly attempts: readonly Attempt[]; readonly stream: boolean };

function recordOutcome(text: string, { attempts, stream: isStream }: ReportedRequest, health: Pick<RouteHealth, 'record'>): void {
  const whatAt = text.indexOf(':') + 1;
  const millisecondsAt = text.indexOf(':', whatAt) + 1;
  const attempt = attempts[Number(text.slice(0, whatAt - 1))];
  if (attempt === undefined || whatAt < 2 || millisecondsAt === 0) return;
  const what = text.slice(whatAt, millisecondsAt - 1);
  if (what === 'other') return;
  const firstByteMs = millisecondsAt === text.length ? undefined : Number(text.slice(millisecondsAt));
  if (isErrorCode(what)) health.record(attempt, { isStream, error: new GatewayError(what, ''), firstByteMs });
  else health.record(attempt, { isStream, firstByteMs });
}
