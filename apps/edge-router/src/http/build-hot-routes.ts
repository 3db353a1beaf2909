import { ENDPOINTS, type EndpointRow, type Passport } from '@weir/contracts';
import type { HotHandler, HotRoutes, ReceivedForm } from '@weir/http-server';
import type { FreeSlot } from '@weir/limits';
import { admitRequest, type Admission, type AdmissionParts } from '../admit/admit-request';
import { estimateRequest } from '../admit/estimate-request';
import { createPriorityFinder } from '../admit/check-load';
import { createFileHandler } from '../files/create-file-handler';
import type { ForwardToService } from '../forward/forward-in-process';
import type { InboundRequest } from '../request/inbound-request';

/** The inference endpoints of the endpoint table, as routes ahead of Express: admit, then hand to the worker. */
export function buildHotRoutes(parts: AdmissionParts, forward: ForwardToService): HotRoutes {
  const handle: HotHandler = async (request, response, scope) => {
    let kept: ReceivedForm | undefined;
    try {
      const admission = await admitRequest({ request, response, scope, keepForm: (form) => (kept = form) }, parts);
      if (admission !== null) await forwardAdmitted({ request, response, scope }, admission, parts, forward);
    } finally {
      await kept?.discard();
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

async function forwardAdmitted(
  { request: { headers }, response, scope }: InboundRequest,
  { passport, body, parsed, form, freeSlot, priority }: Admission,
  parts: AdmissionParts,
  forward: ForwardToService,
): Promise<void> {
  const { endpoint, notes, isCrowded } = scope;
  const giveBack = (): Promise<void> => giveBackTaken(parts, passport, freeSlot);
  const admitted = { passport, body, headers, response, notes, priority, isCrowded, giveBack };
  await forward(endpoint.service, Object.assign(admitted, form === undefined ? { parsed } : { form }));
}

async function giveBackTaken(
  { holds, freeModelDays }: AdmissionParts,
  { hold, caller }: Passport,
  freeSlot: FreeSlot | undefined,
): Promise<void> {
  // What cannot be given back now is given back by its expiry.
  if (freeSlot !== undefined) await freeModelDays.giveBack(freeSlot).catch(() => undefined);
  if (hold !== null) await holds.giveBack(caller.organizationId, hold).catch(() => undefined);
}
