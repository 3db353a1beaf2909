import compression from 'compression';
import { ENDPOINTS, type EndpointRow } from '@weir/contracts';
import { invariant } from '@weir/errors';
import { createRequestIdSource } from '@weir/http-server';
import { Router, type RequestHandler } from 'express';
import type { ConsoleParts } from './console/console-parts';
import { mountConsole, type Console } from './console/mount-console';
import { createRunOnce } from './http/run-once';
import { serveRoute } from './http/serve-route';
import type { OidcSettings } from './console/oidc/read-oidc-settings';
import { createOidcSessions } from './sessions/create-oidc-sessions';
import { serveSession } from './sessions/serve-session';
import { startUpkeep } from './identity/start-upkeep';
import { followConfigurationFile, type ConfigurationFile } from './configuration/file/follow-configuration-file';
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
  /** Where people sign in; its access tokens open sessions where the settings say so. */
  readonly oidc?: OidcSettings | undefined;
  /** Serves the console; absent: there is none. */
  readonly console?: ConsoleParts | undefined;
  /** Keeps an organization as mounted files say; absent: there are none. */
  readonly configurationFile?: ConfigurationFile | undefined;
};

/** The compression below would send Brotli to callers that accept both. */
const offerGzipOnly: RequestHandler = (request, _response, next) => {
  request.headers['accept-encoding'] = request.acceptsEncodings('gzip') === 'gzip' ? 'gzip' : 'identity';
  next();
};

/** Joins the management interface: one Express route for each of its rows in the endpoint table. */
export function composeManagementApi({ console: consoleParts, oidc, configurationFile, ...parts }: ComposedParts): ManagementApi {
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
  const sessions = createOidcSessions(oidc, parts.now);
  if (parts.identityProvider.readSession !== undefined || sessions !== undefined)
    router.post('/v1/session', gzip, serveSession(parts, tools.createRequestId, sessions));
  const { secretAlerts } = parts;
  if (secretAlerts !== undefined) router.post('/internal/secret-alert', serveSecretAlert(parts, secretAlerts, tools.createRequestId));
  const { createRequestId } = tools;
  const mounted =
    consoleParts === undefined
      ? {}
      : { console: mountConsole(router, { parts, own: consoleParts, management: endpoints, createRequestId }) };
  const start = (): (() => Promise<void>) => {
    const stops = [startUpkeep(parts), ...(configurationFile === undefined ? [] : [followConfigurationFile(parts, configurationFile)])];
    return async () => void (await Promise.all(stops.map((stop) => stop())));
  };
  return { router, start, ...mounted };
}
