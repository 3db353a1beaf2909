import { GatewayError } from '@weir/errors';
import type { Request } from 'express';
import { timingSafeEqual } from 'node:crypto';
import type { BrowserOrigin } from './browser-origin';
import type { ConsoleSession } from './session-cookie';

const CSRF_HEADER = 'x-csrf-token';

/** Whether a request only reads. */
export function isSafe({ method }: Pick<Request, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Throws `permission_denied` for a change that was not asked for by a page of the console: others know no token. */
export function checkIntended(request: Request, { csrfToken }: ConsoleSession, origin: BrowserOrigin): void {
  if (isSafe(request)) return;
  origin.checkSameOrigin(request);
  const given = Buffer.from(request.get(CSRF_HEADER) ?? '');
  const wanted = Buffer.from(csrfToken);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new GatewayError('permission_denied', 'The header X-CSRF-Token must have the "csrf_token" of the session. Reload the page.');
}
