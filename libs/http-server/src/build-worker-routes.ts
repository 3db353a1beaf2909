import { ENDPOINTS, PASSPORT_HEADER, readSignedPassport, type EndpointRow, type ServiceId } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { HotHandler, HotRoutes } from './create-http-server';
import { receiveBody, type BodyParts } from './receive-body';
import { readQuery, type WorkerHandler } from './worker-handler';

export type WorkerRoutesOptions = BodyParts & {
  readonly service: ServiceId;
  readonly handle: WorkerHandler;
  readonly passportSecret: string;
  readonly now: () => number;
};

/** The endpoints of one worker, for when the edge is another process: the passport comes in a signed header. */
export function buildWorkerRoutes(options: WorkerRoutesOptions): HotRoutes {
  const handle: HotHandler = async (request, response, scope) => {
    const header = request.headers[PASSPORT_HEADER];
    const passport = readSignedPassport(typeof header === 'string' ? header : undefined, options.passportSecret, options.now());
    if (passport?.endpointId !== scope.endpoint.id) {
      throw new GatewayError('permission_denied', 'This service takes requests from the gateway only.');
    }
    response.setHeader('x-request-id', passport.requestId);
    scope.notes['passportRequestId'] = passport.requestId;
    scope.notes['model'] = passport.modelRequested;
    const received = await receiveBody(request, scope.endpoint, options);
    const { params = {}, notes } = scope;
    try {
      await options.handle({ passport, ...received, params, query: readQuery(request), headers: request.headers, response, notes });
    } finally {
      await received.form?.discard();
    }
  };
  const rows: readonly EndpointRow[] = ENDPOINTS;
  return new Map(
    rows.filter((row) => row.service === options.service).map((row) => [`${row.method} ${row.path}`, { endpoint: row, handle }]),
  );
}
