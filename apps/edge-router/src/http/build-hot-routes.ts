import { ENDPOINTS, type EndpointRow } from '@weir/contracts';
import type { HotHandler, HotRoutes } from '@weir/http-server';
import { admitRequest, type AdmissionParts } from '../admit/admit-request';
import type { ForwardToService } from '../forward/forward-in-process';

/** The inference endpoints of the endpoint table, as routes ahead of Express: admit, then hand to the worker. */
export function buildHotRoutes(parts: AdmissionParts, forward: ForwardToService): HotRoutes {
  const handle: HotHandler = async (request, response, scope) => {
    const { passport, body, parsed } = await admitRequest(request, scope, parts);
    await forward(scope.endpoint.service, { passport, body, parsed, headers: request.headers, response, notes: scope.notes });
  };
  const rows: readonly EndpointRow[] = ENDPOINTS;
  return new Map(
    rows
      .filter((row) => row.permission.kind === 'completions' && row.body === 'json')
      .map((row) => [`${row.method} ${row.path}`, { endpoint: row, handle }]),
  );
}
