import { sendError } from '@weir/http-server';
import type { Request, RequestHandler, Response } from 'express';
import { toServiceError } from '../http/to-service-error';
import type { ManagementParts } from '../route/management-parts';

export type Served = { readonly requestId: string };

type ConsoleHandler = (request: Request, response: Response, served: Served) => Promise<void> | void;

type ServeParts = Pick<ManagementParts, 'log'> & { readonly createRequestId: () => string };

/** For all that is no file: with an id, kept by no cache, and errors in the envelope of the gateway. */
export function createServeConsole({ log, createRequestId }: ServeParts): (handle: ConsoleHandler) => RequestHandler {
  return (handle) => async (request, response) => {
    const requestId = String(response.getHeader('x-request-id') ?? createRequestId());
    response.setHeader('x-request-id', requestId);
    response.setHeader('cache-control', 'no-store');
    try {
      await handle(request, response, { requestId });
    } catch (thrown) {
      const error = toServiceError(thrown);
      if (error.code === 'internal') log.error({ error: error.cause, requestId }, 'a request of the console failed');
      sendError(response, error, { requestId, dialect: 'gateway' });
    }
  };
}
