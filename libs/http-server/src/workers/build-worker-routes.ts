import { CALLER_HEADER, ENDPOINTS, NOT_BEGUN_HEADER, WORK_HEADER, type EndpointRow, type Passport, type ServiceId } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HotHandler, HotRoutes } from '../requests/hot-routes';
import type { PassportNote } from './passport-uses';
import { createPassportReader, type PassportReader, type PassportReaderOptions } from './passport-reader';
import { REQUEST_PRIORITIES, type KnownCaller } from '../requests/request-priority';
import { isLargeText, readJsonBody, type ParsedBody } from '../bodies/parse-json-body';
import { receiveBody, type BodyParts, type ReceivedBody } from '../bodies/receive-body';
import type { RequestScope } from '../requests/request-scope';
import { readQuery, type WorkerHandler } from './forwarded-request';

type WorkerRoutesOptions = BodyParts &
  PassportReaderOptions & {
    readonly service: ServiceId;
    readonly handle: WorkerHandler;
    /** Called with every passport that is refused. */
    readonly notePassport?: (note: PassportNote, requestId: string) => void;
  };

/** The endpoints of one worker, for when the edge is another process: the passport comes in a signed header. */
export function buildWorkerRoutes(options: WorkerRoutesOptions): HotRoutes {
  const passports = createPassportReader(options);
  const handle: HotHandler = async (request, response, scope) => {
    const { passport, received } = await receiveRequest({ request, response, scope }, options, passports);
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
      .map((row) => [`${row.method} ${row.path}`, { endpoint: row, handle, findCaller: readCaller }]),
  );
}

type Arrival = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly scope: RequestScope };
type ReadBody = ReceivedBody & { readonly parsed?: ParsedBody };
type ReceivedRequest = { readonly passport: Passport; readonly received: ReadBody };

/** Receives a request. A header says to the edge, of what fails here, that nothing was begun. */
async function receiveRequest(arrival: Arrival, options: WorkerRoutesOptions, passports: PassportReader): Promise<ReceivedRequest> {
  const { request, response, scope } = arrival;
  try {
    checkPriority(request, scope);
    const presented = passports.present(request, response, scope.endpoint);
    if (typeof presented === 'string') throw refusePassport(presented, arrival, options);
    const { passport } = presented;
    scope.notes['model'] = passport.modelRequested;
    const received = await receiveBody(request, scope.endpoint, options);
    try {
      const taken = passports.take(presented, { path: request.url ?? '', ...received });
      const note = taken instanceof Promise ? await taken : taken;
      if (note !== undefined) throw refusePassport(note, arrival, options);
    } catch (error) {
      await received.form?.discard();
      throw error;
    }
    // A large body is read here, yielding the event loop; others are read where they are needed.
    if (received.form !== undefined || !isLargeText(received.body)) return { passport, received };
    return { passport, received: { ...received, parsed: await readJsonBody(received.body) } };
  } catch (error) {
    // A slow sender has got its response already.
    if (!response.headersSent && !response.hasHeader(NOT_BEGUN_HEADER)) response.setHeader(NOT_BEGUN_HEADER, 'true');
    throw error;
  }
}

function refusePassport(note: PassportNote, { scope }: Arrival, { notePassport }: WorkerRoutesOptions): GatewayError {
  scope.notes['passport'] = note;
  notePassport?.(note, scope.id);
  return new GatewayError('permission_denied', 'This service takes requests from the gateway only.');
}

/** Whose a request is, and the priority that the edge admitted it with. */
function readCaller({ headers }: IncomingMessage): KnownCaller {
  const [priority, id] = [headers[WORK_HEADER], headers[CALLER_HEADER]];
  return { priority: REQUEST_PRIORITIES.find((known) => known === priority) ?? 'paid', id: typeof id === 'string' ? id : undefined };
}

/** Throws `overloaded` when requests of a lower priority are refused; `paid` was checked when the request came. */
function checkPriority(request: IncomingMessage, { priority, checkLoad }: RequestScope): void {
  if (checkLoad === undefined) return;
  const { priority: reported, id } = readCaller(request);
  if (reported !== 'paid' && reported !== priority) checkLoad(reported, id);
}
