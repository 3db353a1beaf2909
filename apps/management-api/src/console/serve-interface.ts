import { GatewayError } from '@weir/errors';
import type { Request, Response, Router } from 'express';
import { checkIntended } from './check-csrf-token';
import type { ConsoleParts } from './console-parts';
import { forwardToGateway } from './forward-to-gateway';
import { readTarget } from './read-target';
import { requireSession, type SessionParts } from './serve-session';

type InterfaceParts = SessionParts &
  Pick<ConsoleParts, 'gatewayUrl'> & {
    /** The management interface, which is in this process. */
    readonly management: Router;
  };

/** What is read here is data: never a page, a script or a style of the console, no matter who has stored it. */
const DATA_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'";
const NEVER_READ_AS = new Set(['script', 'style', 'worker', 'sharedworker', 'serviceworker', 'iframe', 'frame', 'embed', 'object']);

/** `/console/api/…`: the public interface, called with the session's key. Management is in this process, the rest at the gateway. */
export async function serveInterface(own: InterfaceParts, request: Request, response: Response): Promise<void> {
  response.setHeader('content-security-policy', DATA_POLICY);
  const target = readTarget(request.originalUrl);
  if (NEVER_READ_AS.has(request.get('sec-fetch-dest') ?? ''))
    throw new GatewayError('permission_denied', 'The interface is read as data, not as a part of a page.');
  const { session } = await requireSession(own, request, response);
  checkIntended(request, session, own.origin);
  own.cookies.keepAlive(request, response, session);
  becomeCaller(request, session.key, target);
  await new Promise<void>((resolve, reject) => {
    response.once('close', resolve);
    own.management(request, response, (error?: unknown) => {
      if (error !== undefined) return reject(error as Error);
      forwardElsewhere(own, request, response, { target, key: session.key }).then(resolve, reject);
    });
  });
}

/** From here on the request is one that a program would have sent with the key. */
function becomeCaller(request: Request, key: string, target: string): void {
  for (const name of ['cookie', 'x-api-key', 'x-csrf-token']) delete request.headers[name];
  request.headers.authorization = `Bearer ${key}`;
  request.url = target;
  request.originalUrl = target;
}

type Destination = { readonly target: string; readonly key: string };

async function forwardElsewhere(own: InterfaceParts, request: Request, response: Response, destination: Destination): Promise<void> {
  const gatewayUrl = own.gatewayUrl();
  if (gatewayUrl === undefined)
    throw new GatewayError(
      'dependency_down',
      'The console does not know where the gateway is. Ask an operator to set CONSOLE_GATEWAY_URL.',
    );
  await forwardToGateway(request, response, { gatewayUrl, ...destination });
}
