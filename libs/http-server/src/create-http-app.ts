import compression from 'compression';
import { GatewayError, toGatewayError } from '@weir/errors';
import express, { type ErrorRequestHandler, type Express } from 'express';
import helmet from 'helmet';
import { findErrorDialect } from './find-error-dialect';
import { sendError } from './send-error';

export type HttpAppOptions = {
  /** Adds the routes. Runs before the catch-alls. */
  readonly mount: (app: Express) => void;
  /** Told of every error that is our own fault. */
  readonly onInternalError: (error: GatewayError, requestId: string) => void;
};

/** The Express app behind the hot routes: management, lists, health. JSON everywhere, also for unknown paths. */
export function createHttpApp(options: HttpAppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use(helmet());
  app.use(compression());
  options.mount(app);
  app.use((request) => {
    throw new GatewayError('not_found', `There is nothing at ${request.method} ${request.path}.`);
  });
  // Express knows error middleware by its four parameters.
  // eslint-disable-next-line max-params
  const answerError: ErrorRequestHandler = (thrown: unknown, request, response, _next) => {
    const error = toRequestError(thrown);
    const requestId = String(response.getHeader('x-request-id') ?? '');
    if (error.code === 'internal') options.onInternalError(error, requestId);
    sendError(response, error, { requestId, dialect: findErrorDialect(request.path) });
  };
  app.use(answerError);
  return app;
}

/** Errors of Express's own body reading carry a status and a type; they are the caller's fault. */
function toRequestError(thrown: unknown): GatewayError {
  const { status, type } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as { status?: number; type?: string };
  if (thrown instanceof GatewayError || status === undefined || status >= 500) return toGatewayError(thrown);
  if (status === 413) return new GatewayError('body_too_large', 'The request body is too large.');
  if (status === 415) return new GatewayError('unsupported_media_type', 'The body has an encoding or charset that is not supported.');
  if (type === 'entity.parse.failed') return new GatewayError('invalid_json', 'The request body is not valid JSON.');
  return new GatewayError('invalid_request', 'The request could not be read.');
}
