import { GatewayError } from '@weir/errors';
import type { Request, Response } from 'express';
import type { AttemptLimits } from './attempt-limits';
import type { BrowserOrigin } from './browser-origin';
import { sendToSignIn } from './send-to-sign-in';
import type { Served } from './serve-console';

type Attempt = (request: Request, response: Response, served: Served) => Promise<void>;
type LimitParts = { readonly limits: AttemptLimits; readonly origin: Pick<BrowserOrigin, 'readAddress'> };

/** Counts each attempt. One too many gets 429 with when to try again; a person who follows a link, the page that says so. */
export function limitAttempts({ limits, origin }: LimitParts, attempt: Attempt): Attempt {
  return async (request, response, served) => {
    try {
      limits.take(origin.readAddress(request));
    } catch (error) {
      const isPage = request.method === 'GET' && request.get('accept')?.includes('text/html') === true;
      if (!(error instanceof GatewayError) || !isPage) throw error;
      response.setHeader('retry-after', String(error.details.retryAfterSeconds));
      return sendToSignIn(response, { reason: 'busy' });
    }
    await attempt(request, response, served);
  };
}
