import { checkPermission } from '@weir/access';
import { getEndpoint } from '@weir/contracts';
import { toGatewayError } from '@weir/errors';
import { sendError } from '@weir/http-server';
import type { Request, RequestHandler, Response } from 'express';
import type { ManagementParts } from '../management-parts';
import type { Answer, Route } from '../route';
import { readJsonBody } from './read-json-body';

/** The same order for every endpoint: who, may they, what do they want, do it. */
export function serveRoute(route: Route, parts: ManagementParts, createRequestId: () => string): RequestHandler {
  const row = getEndpoint(route.id);
  const readsBody = row.method !== 'GET' || route.readsBodyOfGet;
  const answer = async (request: Request, requestId: string): Promise<Answer> => {
    const principal = await parts.authenticate(request);
    checkPermission(principal, row.permission);
    const body = readsBody ? await readJsonBody(request) : {};
    return route.run(
      {
        principal,
        organizationId: principal.key.organizationId,
        params: request.params as Record<string, string>,
        query: request.query as Record<string, unknown>,
        body,
        requestId,
        ip: request.socket.remoteAddress ?? null,
      },
      parts,
    );
  };
  return async (request, response) => {
    const requestId = ensureRequestId(response, createRequestId);
    try {
      sendAnswer(response, await answer(request, requestId));
    } catch (thrown) {
      const error = toGatewayError(thrown);
      if (error.code === 'internal') parts.log.error({ err: error.cause, requestId, endpoint: row.id }, 'a management request failed');
      sendError(response, error, { requestId, dialect: row.errorDialect, endpointId: row.id });
    }
  };
}

function ensureRequestId(response: Response, createRequestId: () => string): string {
  const given = response.getHeader('x-request-id');
  if (typeof given === 'string') return given;
  const made = createRequestId();
  response.setHeader('x-request-id', made);
  return made;
}

function sendAnswer(response: Response, { status, body }: Answer): void {
  response.statusCode = status;
  // Answers may hold a key that is shown only once.
  response.setHeader('cache-control', 'no-store');
  if (body === undefined) {
    response.end();
    return;
  }
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(body));
}
