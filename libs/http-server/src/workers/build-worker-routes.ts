import {
  ENDPOINTS,
  NOT_BEGUN_HEADER,
  PASSPORT_HEADER,
  readSignedPassport,
  WORK_HEADER,
  type EndpointRow,
  type Passport,
  type ServiceId,
} from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HotHandler, HotRoutes } from '../requests/hot-routes';
import { digestForwarded, type DigestedRequest } from './digest-forwarded-request';
import type { PassportNote, PassportUses } from './passport-uses';
import { REQUEST_PRIORITIES, type RequestPriority } from '../requests/request-priority';
import { isLargeText, readJsonBody, type ParsedBody } from '../bodies/parse-json-body';
import { receiveBody, type BodyParts, type ReceivedBody } from '../bodies/receive-body';
import type { RequestScope } from '../requests/request-scope';
import { readQuery, type WorkerHandler } from './forwarded-request';

type WorkerRoutesOptions = BodyParts & {
  readonly service: ServiceId;
  readonly handle: WorkerHandler;
  readonly passportSecret: string;
  readonly now: () => number;
  /** Which passports were used, by any worker. */
  readonly uses: PassportUses;
  /** Called with every passport that is refused. */
  readonly notePassport?: (note: PassportNote, requestId: string) => void;
};

/** The endpoints of one worker, for when the edge is another process: the passport comes in a signed header. */
export function buildWorkerRoutes(options: WorkerRoutesOptions): HotRoutes {
  const handle: HotHandler = async (request, response, scope) => {
    const { passport, received } = await receiveRequest({ request, response, scope }, options);
    const { params = {}, notes, isCrowded } = scope;
    const { headers } = request;
    try {
      await options.handle({ passport, ...received, params, query: readQuery(request), headers, response, notes, isCrowded });
    } finally {
      await received.form?.discard();
    }
  };
  const rows: readonly EndpointRow[] = ENDPOINTS;
  return new Map(
    rows
      .filter((row) => row.service === options.service)
      .map((row) => [`${row.method} ${row.path}`, { endpoint: row, handle, findPriority: readPriority }]),
  );
}

type Arrival = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly scope: RequestScope };
type ReceivedRequest = { readonly passport: Passport; readonly received: ReceivedBody & { readonly parsed?: ParsedBody } };

/** Receives a request. A header says to the edge, of what fails here, that nothing was begun. */
async function receiveRequest({ request, response, scope }: Arrival, options: WorkerRoutesOptions): Promise<ReceivedRequest> {
  try {
    checkPriority(request, scope);
    const header = request.headers[PASSPORT_HEADER];
    const passport = readSignedPassport(typeof header === 'string' ? header : undefined, options.passportSecret, options.now());
    if (passport?.endpointId !== scope.endpoint.id) throw refusePassport('unsigned', scope, options);
    scope.notes['model'] = passport.modelRequested;
    const received = await receiveBody(request, scope.endpoint, options);
    try {
      await takePassport(passport, { path: request.url ?? '', ...received }, scope, options);
    } catch (error) {
      await received.form?.discard();
      throw error;
    }
    // A large body is read here, yielding the event loop; others are read where they are needed.
    if (received.form !== undefined || !isLargeText(received.body)) return { passport, received };
    return { passport, received: { ...received, parsed: await readJsonBody(received.body) } };
  } catch (error) {
    // A slow sender has got its response already.
    if (!response.headersSent) response.setHeader(NOT_BEGUN_HEADER, 'true');
    throw error;
  }
}

/** Takes a passport for the one request it was made for, once: with another body or path, or again, it is worth nothing. */
async function takePassport(
  { requestId, deadlineMs, binding }: Passport,
  received: DigestedRequest,
  scope: RequestScope,
  options: WorkerRoutesOptions,
): Promise<void> {
  const untilMs = binding?.takenByMs ?? deadlineMs;
  if (untilMs <= options.now()) throw refusePassport('late', scope, options);
  const isOther = binding?.digest !== undefined && binding.digest !== digestForwarded(received);
  if (isOther) throw refusePassport('changed', scope, options);
  if (!(await options.uses.claim(requestId, untilMs))) throw refusePassport('used', scope, options);
}

function refusePassport(note: PassportNote, { id, notes }: RequestScope, { notePassport }: WorkerRoutesOptions): GatewayError {
  notes['passport'] = note;
  notePassport?.(note, id);
  return new GatewayError('permission_denied', 'This service takes requests from the gateway only.');
}

/** The priority that the edge admitted a request with. */
function readPriority({ headers }: IncomingMessage): RequestPriority {
  const reported = headers[WORK_HEADER];
  return REQUEST_PRIORITIES.find((known) => known === reported) ?? 'paid';
}

/** Throws `overloaded` when requests of a lower priority are refused; `paid` was checked when the request came. */
function checkPriority(request: IncomingMessage, { priority, checkLoad }: RequestScope): void {
  if (checkLoad === undefined) return;
  const reported = readPriority(request);
  if (reported !== 'paid' && reported !== priority) checkLoad(reported);
}
