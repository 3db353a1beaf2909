import compression from 'compression';
import { GatewayError, toGatewayError } from '@weir/errors';
import express, { type ErrorRequestHandler, type Express } from 'express';
import helmet from 'helmet';
import { createMethodResponses } from './method-responses';
import type { HotRoutes } from '../requests/hot-routes';
import { findErrorDialect } from '../replies/find-error-dialect';
import { sendError } from '../replies/send-error';

type HttpAppOptions = {
  /** Adds the routes. Runs before the catch-alls. */
  readonly mount: (app: Express) => void;
  /** The routes ahead of this app: `OPTIONS` and 405 name their methods as well. */
  readonly hotRoutes?: HotRoutes;
  /** Called with every error that is our own fault. */
  readonly onInternalError: (error: GatewayError, requestId: string) => void;
};

/** The Express app behind the hot routes: management, lists, health. JSON everywhere, also for unknown paths. */
export function createHttpApp(options: HttpAppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  // As the hot routes are: a rule of a proxy for a path holds for this path.
  app.enable('case sensitive routing');
  app.use(helmet());
  app.use(compression());
  const methods = createMethodResponses(app, options.hotRoutes ?? new Map());
  app.use((request, response, next) => {
    if (request.method === 'OPTIONS') methods.sendOptions(request, response);
    else next();
  });
  options.mount(app);
  app.use((request, response) => methods.refuse(request, response));
  // Express knows error middleware by its four parameters.

  const sendThrown: ErrorRequestHandler = (thrown: unknown, request, response, _next) => {
    const error = toRequestError(thrown);
    const requestId = String(response.getHeader('x-request-id') ?? '');
    if (error.code === 'internal') options.onInternalError(error, requestId);
    sendError(response, error, { requestId, dialect: findErrorDialect(request.path, request.headers) });
  };
  app.use(sendThrown);
  return app;
}

/** Errors of Express's own body reading carry a status and a type; they are the caller's fault. */
function toRequestError(thrown: unknown): GatewayError {
  const { status, type } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as { status?: number; type?: string };
  if (thrown instanceof GatewayError || status === undefined || status >= 500) return toGatewayError(thrown);
  if (status === 413) return new GatewayError('body_too_large', 'The request body is too large. Send less in one request.');
  if (status === 415)
    return new GatewayError(
      'unsupported_media_type',
      'The body has an encoding or charset that is not supported. Send UTF-8 without a Content-Encoding.',
    );
  if (type === 'entity.parse.failed')
    return new GatewayError('invalid_json', 'The request body is not valid JSON. Correct it and send it again.');
  return new GatewayError('invalid_request', 'The request could not be read.');
}
