import { checkPermission, type Principal } from '@weir/access';
import { getEndpoint, type EndpointRow } from '@weir/contracts';
import { GatewayError, invariant, SCIM_MEDIA_TYPE } from '@weir/errors';
import { readCallerAddress, sendError } from '@weir/http-server';
import type { Request, RequestHandler, Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { checkOperator, checkRole, readAuthority, type Authority } from '../route/authority';
import { REACH } from '../authority/reach';
import type { ManagementParts } from '../route/management-parts';
import type { RouteResponse, RawCall, Route, StreamedBody } from '../route/route';
import { checkStorable } from '../bodies/check-storable';
import { readJsonBody } from '../bodies/read-json-body';
import { toServiceError } from './to-service-error';
import type { RunOnce } from './run-once';

type RequestTools = { readonly createRequestId: () => string; readonly runOnce: RunOnce };

/** The same order for every endpoint: who, may they do this and reach that, what do they want, do it. */
export function serveRoute(route: Route, parts: ManagementParts, { createRequestId, runOnce }: RequestTools): RequestHandler {
  const row = getEndpoint(route.id);
  const checkAuthority = createAuthorityCheck(row, parts);
  const readsBody = row.method !== 'GET' || route.readsBodyOfGet;
  const respond = async (request: Request, requestId: string): Promise<RouteResponse> => {
    const principal = await parts.authenticate(request);
    checkPermission(principal, row.permission);
    const authority = await checkAuthority(principal, request);
    const body = readsBody ? await (route.readBody ?? readJsonBody)(request) : {};
    await checkStorable(body);
    await checkStorable(request.query);
    if (row.method !== 'GET' && !route.takesParameters) checkNoParameters(request);
    const call: RawCall = {
      principal,
      authority,
      organizationId: principal.key.organizationId,
      params: readParams(request),
      query: request.query as Record<string, unknown>,
      body,
      requestId,
      ip: readCallerAddress(request),
      ...{ ifMatch: request.get('if-match'), ifNoneMatch: request.get('if-none-match') },
      accepts: (types) => request.accepts([...types]) || undefined,
    };
    const idempotencyKey = isChange(row) ? request.get('idempotency-key') : undefined;
    const target = `${row.method} ${request.originalUrl}`;
    return runOnce({ idempotencyKey, target, call }, (claimed) => route.run(claimed, parts));
  };
  return async (request, response) => {
    const requestId = ensureRequestId(response, createRequestId);
    try {
      await sendResponse(response, await respond(request, requestId), MEDIA_TYPES[row.errorDialect] ?? JSON_TYPE);
    } catch (thrown) {
      const error = toServiceError(thrown);
      if (error.code === 'internal') parts.log.error({ error: error.cause, requestId, endpoint: row.id }, 'a management request failed');
      sendError(response, error, { requestId, dialect: row.errorDialect, endpointId: row.id });
    }
  };
}

/** What changes nothing may be sent as often as one likes, and nothing of it is kept. */
function isChange({ method, permission }: EndpointRow): boolean {
  return method === 'POST' && (permission.kind !== 'manage' || permission.level === 'write');
}

/** Reads what the caller's roles let them reach. Refuses callers that the endpoint is not for, and what is out of their reach. */
function createAuthorityCheck({ id, permission }: EndpointRow, parts: ManagementParts) {
  const isForLimited = permission.kind === 'manage' && permission.who !== 'organization-admin' && permission.who !== 'operator';
  invariant(!isForLimited || REACH[id] !== undefined, `endpoint ${id} does not say how far it reaches`);
  return async (principal: Principal, request: Request): Promise<Authority> => {
    const authority = await readAuthority(parts, principal);
    if (permission.kind !== 'manage') return authority;
    checkRole(authority, permission.who);
    if (permission.who === 'operator') await checkOperator(parts, principal.key.organizationId);
    const checkReach = REACH[id];
    if (authority.kind === 'organization-admin' || checkReach === undefined) return authority;
    const { organizationId } = principal.key;
    const call = { principal, organizationId, params: readParams(request), authority };
    await parts.database.asOrganization(organizationId).transact((tx) => checkReach(tx, call));
    return authority;
  };
}

/** A write takes all it takes in its body, and ignores nothing: a parameter it does not know is more likely a mistake than a decoration. */
function checkNoParameters({ query }: Request): void {
  const [field] = Object.keys(query);
  if (field !== undefined) throw new GatewayError('unsupported_field', `Unknown parameter \`${field}\`.`, { field });
}

/** Nothing is called by what Postgres cannot hold in a text. */
function readParams({ params, method, path }: Request): Record<string, string> {
  const named = params as Record<string, string>;
  if (Object.values(named).some((value) => value.includes('\0')))
    throw new GatewayError('not_found', `There is nothing at ${method} ${path}.`);
  return named;
}

function ensureRequestId(response: Response, createRequestId: () => string): string {
  const given = response.getHeader('x-request-id');
  if (typeof given === 'string') return given;
  const made = createRequestId();
  response.setHeader('x-request-id', made);
  return made;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const MEDIA_TYPES: Readonly<Partial<Record<EndpointRow['errorDialect'], string>>> = { scim: SCIM_MEDIA_TYPE };

async function sendResponse(response: Response, sent: RouteResponse, jsonType: string): Promise<void> {
  const { status, body, headers = {}, stream } = sent;
  response.statusCode = status;
  // A response may have a key that is shown only once.
  response.setHeader('cache-control', 'no-store');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (stream !== undefined) return sendStream(response, stream);
  if (body === undefined) {
    response.end();
    return;
  }
  response.setHeader('content-type', jsonType);
  response.end(JSON.stringify(body));
}

async function sendStream(response: Response, { chunks, close }: StreamedBody): Promise<void> {
  try {
    await pipeline(Readable.from(chunks), response);
  } catch (error) {
    // A caller who left early is no failure of ours; whatever else it was, a cut connection says that the file is not whole.
    if (!isPrematureClose(error)) throw error;
  } finally {
    await close();
  }
}

function isPrematureClose(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
