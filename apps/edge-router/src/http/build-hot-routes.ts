import { ENDPOINTS, type EndpointRow } from '@weir/contracts';
import type { HotHandler, HotRoutes, ReceivedForm } from '@weir/http-server';
import { admitRequest, type AdmissionParts } from '../admit/admit-request';
import { estimateRequest } from '../admit/estimate-request';
import { createCallerFinder } from '../admit/check-load';
import { createFileHandler } from '../files/create-file-handler';
import type { RefusalLog } from '../refusals/create-refusal-log';
import type { ForwardToService } from '../forward/forward-in-process';
import type { InboundRequest } from '../request/inbound-request';

/** The inference endpoints of the endpoint table, as routes ahead of Express: admit, then hand to the worker. */
export function buildHotRoutes(parts: AdmissionParts & { readonly refusals: RefusalLog }, forward: ForwardToService): HotRoutes {
  const admit = (inbound: InboundRequest): Promise<void> | undefined =>
    admitRequest(inbound, parts, (admission) => forward(inbound.scope.endpoint.service, admission));
  const handle: HotHandler = (request, response, scope, fail) => admit({ request, response, scope, fail });
  /** Of requests that may come as forms, whose files are discarded however they end. */
  const handleForm: HotHandler = async (request, response, scope, fail) => {
    let kept: ReceivedForm | undefined;
    try {
      await admit({ request, response, scope, fail, keepForm: (form) => (kept = form) });
    } finally {
      if (kept !== undefined) await kept.discard();
    }
  };
  const estimate: HotHandler = (request, response, scope) => estimateRequest({ request, response, scope }, parts);
  const files = createFileHandler(parts, forward);
  const chooseHandler = ({ id, modality, body }: EndpointRow): HotHandler => {
    if (id === 'estimate') return estimate;
    if (modality === undefined) return files;
    return body === 'json' ? handle : handleForm;
  };
  const rows: readonly EndpointRow[] = ENDPOINTS;
  return new Map(
    rows
      .filter((row) => row.permission.kind === 'completions')
      .map((row) => [
        `${row.method} ${row.path}`,
        {
          ...{ endpoint: row, handle: chooseHandler(row), findCaller: createCallerFinder(parts.authenticator, row) },
          noteFailure: (error, scope) => parts.refusals.note(error, scope),
        },
      ]),
  );
}
