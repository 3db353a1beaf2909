import compression from 'compression';
import { ENDPOINTS, type EndpointRow } from '@weir/contracts';
import { invariant } from '@weir/errors';
import { createRequestIdSource } from '@weir/http-server';
import { Router, type RequestHandler } from 'express';
import type { ConsoleParts } from './console/console-parts';
import { mountConsole, type Console } from './console/mount-console';
import { createRunOnce } from './http/run-once';
import { serveRoute } from './http/serve-route';
import { serveSession } from './identity/serve-session';
import { startUpkeep } from './identity/start-upkeep';
import type { ManagementParts } from './route/management-parts';
import { ROUTES } from './routes';
import { serveSecretAlert } from './secret-alerts/serve-secret-alert';

export type ManagementApi = {
  readonly router: Router;
  /** From here on, finishes what crashes left unfinished. Returns a function that stops that. */
  start(): () => Promise<void>;
  /** Absent where there is none. */
  readonly console?: Console;
};

type ComposedParts = ManagementParts & {
  /** Serves the console; absent: there is none. */
  readonly console?: ConsoleParts | undefined;
};

/** The compression below would send Brotli to callers that accept both. */
const offerGzipOnly: RequestHandler = (request, _response, next) => {
  request.headers['accept-encoding'] = request.acceptsEncodings('gzip') === 'gzip' ? 'gzip' : 'identity';
  next();
};

/** Joins the management interface: one Express route for each of its rows in the endpoint table. */
export function composeManagementApi({ console: consoleParts, ...parts }: ComposedParts): ManagementApi {
  const router = Router({ caseSensitive: true });
  const endpoints = Router({ caseSensitive: true });
  const tools = { createRequestId: createRequestIdSource(parts.now), runOnce: createRunOnce(parts) };
  // A caller that accepts gzip gets it, however short the response; no one gets another encoding.
  const gzip = [offerGzipOnly, compression({ threshold: 0 }) as RequestHandler];
  // In the table's order: `/apikey/self` stands before `/apikey/:id`.
  for (const row of ENDPOINTS as readonly EndpointRow[]) {
    if (row.service !== 'management-api') continue;
    const route = ROUTES.find(({ id }) => id === row.id);
    invariant(route !== undefined, `endpoint ${row.id} has no route`);
    const verb = row.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    endpoints[verb](row.path, gzip, serveRoute(route, parts, tools));
  }
  router.use(endpoints);
  if (parts.identityProvider.readSession !== undefined) router.post('/v1/session', gzip, serveSession(parts, tools.createRequestId));
  const { secretAlerts } = parts;
  if (secretAlerts !== undefined) router.post('/internal/secret-alert', serveSecretAlert(parts, secretAlerts, tools.createRequestId));
  const { createRequestId } = tools;
  const mounted =
    consoleParts === undefined
      ? {}
      : { console: mountConsole(router, { parts, own: consoleParts, management: endpoints, createRequestId }) };
  return { router, start: () => startUpkeep(parts), ...mounted };
}
