import { ENDPOINTS, type EndpointRow } from '@weir/contracts';
import type { HotHandler, HotRoutes, ReceivedForm } from '@weir/http-server';
import { admitRequest, type AdmissionParts } from '../admit/admit-request';
import { estimateRequest } from '../admit/estimate-request';
import { createPriorityFinder } from '../admit/check-load';
import { createFileHandler } from '../files/create-file-handler';
import type { ForwardToService } from '../forward/forward-in-process';

/** The inference endpoints of the endpoint table, as routes ahead of Express: admit, then hand to the worker. */
export function buildHotRoutes(parts: AdmissionParts, forward: ForwardToService): HotRoutes {
  const handle: HotHandler = async (request, response, scope) => {
    let kept: ReceivedForm | undefined;
    try {
      const admission = await admitRequest({ request, response, scope, keepForm: (form) => (kept = form) }, parts);
      if (admission !== null) await forward(scope.endpoint.service, admission);
    } finally {
      if (kept !== undefined) await kept.discard();
    }
  };
  const estimate: HotHandler = (request, response, scope) => estimateRequest({ request, response, scope }, parts);
  const files = createFileHandler(parts, forward);
  const chooseHandler = ({ id, modality }: EndpointRow): HotHandler => {
    if (id === 'estimate') return estimate;
    return modality === undefined ? files : handle;
  };
  const rows: readonly EndpointRow[] = ENDPOINTS;
  return new Map(
    rows
      .filter((row) => row.permission.kind === 'completions')
      .map((row) => [
        `${row.method} ${row.path}`,
        { endpoint: row, handle: chooseHandler(row), findPriority: createPriorityFinder(parts.authenticator, row) },
      ]),
  );
}
