import { readCredential, type Authenticator } from '@weir/access';
import { GatewayError } from '@weir/errors';
import type { RequestHandler } from 'express';

/** `GET /v1/auth/check`: an empty 200 for a usable key, 401 for anything else. */
export function createCheckKey(authenticator: Authenticator): RequestHandler {
  return async (request, response) => {
    try {
      await authenticator.authenticate(readCredential(request.headers, 'bearer'));
    } catch (error) {
      if (error instanceof GatewayError && error.code === 'invalid_credentials') throw new GatewayError('unusable_key', error.message);
      throw error;
    }
    response.status(200).end();
  };
}
