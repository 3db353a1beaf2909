import {
  NOT_BEGUN_HEADER,
  PASSPORT_HEADER,
  PASSPORT_TAKEN_WITHIN_MS,
  REQUEST_ID_HEADER,
  signPassport,
  WORK_HEADER,
  type Passport,
  type ServiceId,
} from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { digestForwarded, type ForwardedRequest } from '@weir/http-server';
import { OUTCOMES_HEADER, recordOutcomes, type RouteHealth } from '@weir/routing';
import {
  createReadCoalescer,
  createCancellation,
  type ReadCoalescer,
  type CancelSignal,
  type UpstreamCall,
  type UpstreamResponse,
  type UpstreamTransport,
} from '@weir/upstream-http';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { encodeForwarded } from './encode-forwarded';
import { findSystemCode, isNeverSent } from './never-sent';
import type { ForwardToService, AdmittedRequest } from './forward-in-process';

/** What workers may need of the caller's headers. Credentials and hop-by-hop headers stay here. */
const PASSED_ON = new Set(['content-type', 'accept', 'idempotency-key', 'traceparent', 'x-weir-debug']);
/** Dialects select versions and previews by headers of their own: `<vendor>-version`, `<vendor>-beta`. */
const DIALECT_HEADER = /^[a-z]+-(?:version|beta)$/;
/** Under which name the caller knows the gateway. */
const HOST_HEADER = 'x-weir-host';
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'proxy-connection',
  REQUEST_ID_HEADER,
  OUTCOMES_HEADER,
  NOT_BEGUN_HEADER,
]);

/** How often a worker is asked, and how long between, while no connection to one can be had. */
const TRIES_MAX = 3;
const TRY_AGAIN_MS = 50;

type HttpForwardOptions = {
  readonly addresses: Partial<Record<ServiceId, string>>;
  readonly send: UpstreamTransport;
  readonly passportSecret: string;
  /** Learns of providers from what workers report of each request. */
  readonly health?: Pick<RouteHealth, 'record'>;
};

/** The adapter between processes: one HTTP request with the passport in a signed header, bytes streamed both ways. */
export function createHttpForward(options: HttpForwardOptions): ForwardToService {
  const coalesce = createReadCoalescer();
  return async (service, admitted) => {
    const reply = await openWorker(service, admitted, options);
    if (reply === undefined) return;
    if (reply.headers[NOT_BEGUN_HEADER] !== undefined) await admitted.giveBack?.();
    const outcomes = reply.headers[OUTCOMES_HEADER];
    if (options.health !== undefined && typeof outcomes === 'string') recordOutcomes(outcomes, admitted.passport, options.health);
    // A caller that left meanwhile has closed its response already, which will not close again.
    if (admitted.response.destroyed) reply.body.destroy();
    else await relay(reply, admitted, coalesce);
  };
}

/** Undefined when the caller is gone: the worker sees its connection close, or is not asked at all. */
async function openWorker(
  service: ServiceId,
  admitted: AdmittedRequest,
  options: HttpForwardOptions,
): Promise<UpstreamResponse | undefined> {
  const address = options.addresses[service];
  if (address === undefined) throw new Error(`the address of ${service} is not set`);
  if (admitted.response.destroyed) {
    await admitted.giveBack?.();
    return undefined;
  }
  const { signal, abort } = createCancellation();
  admitted.response.once('close', () => abort(new Error('the caller closed the connection')));
  try {
    return await sendOnceTaken(() => options.send({ ...describeCall(address, admitted, options.passportSecret), signal }), signal);
  } catch (error) {
    if (isNeverSent(error)) await admitted.giveBack?.();
    if (signal.aborted) return undefined;
    throw explainFailure(error, admitted.notes);
  }
}

/** Asks again where the connection itself was refused: another worker may have taken the place of the one that was there. */
async function sendOnceTaken(send: () => Promise<UpstreamResponse>, signal: CancelSignal): Promise<UpstreamResponse> {
  for (let triesLeft = TRIES_MAX - 1; triesLeft > 0; triesLeft -= 1) {
    try {
      return await send();
    } catch (error) {
      if (!isNeverSent(error)) throw error;
      await pause(TRY_AGAIN_MS);
      if (signal.aborted) throw error;
    }
  }
  return send();
}

function explainFailure(error: unknown, notes: ForwardedRequest['notes']): GatewayError {
  notes['cause'] = findSystemCode(error) ?? null;
  return new GatewayError('dependency_down', 'The request could not be forwarded inside the gateway. Try again shortly.', { cause: error });
}

function describeCall(address: string, admitted: AdmittedRequest, passportSecret: string): Omit<UpstreamCall, 'signal'> {
  const { passport, priority } = admitted;
  const { method, path, headers, body } = encodeForwarded(admitted);
  const timeoutMs = passport.deadlineMs - passport.admittedAtMs;
  return {
    method,
    url: address + path,
    headers: {
      ...pickHeaders(admitted.headers),
      ...headers,
      ...(priority === undefined ? {} : { [WORK_HEADER]: priority }),
      [REQUEST_ID_HEADER]: passport.requestId,
      [PASSPORT_HEADER]: signPassport({ ...passport, binding: bindTo(path, admitted) }, passportSecret),
    },
    body,
    headersTimeoutMs: timeoutMs,
    idleTimeoutMs: timeoutMs,
  };
}

/** Signed for each try anew: of those that were refused no worker has seen anything. */
function bindTo(path: string, { passport, body, form }: AdmittedRequest): NonNullable<Passport['binding']> {
  const digest = digestForwarded({ path, body, form });
  const takenByMs = Math.min(passport.deadlineMs, Date.now() + PASSPORT_TAKEN_WITHIN_MS);
  return { ...(digest === undefined ? {} : { digest }), takenByMs };
}

function pickHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === 'string' && (PASSED_ON.has(name) || DIALECT_HEADER.test(name))) picked[name] = value;
  }
  if (headers.host !== undefined) picked[HOST_HEADER] = headers.host;
  return picked;
}

function relay(answer: UpstreamResponse, admitted: ForwardedRequest, rest: ReadCoalescer): Promise<void> {
  const { response } = admitted;
  noteOutcome(answer, admitted);
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined && !HOP_BY_HOP.has(name)) response.setHeader(name, value);
  }
  response.flushHeaders();
  return pump(answer, admitted, rest);
}

/** Copies bytes as they come. A worker that dies in mid-reply cuts the caller's connection: never a clean end. */
function pump({ body }: UpstreamResponse, { response, isCrowded }: ForwardedRequest, rest: ReadCoalescer): Promise<void> {
  return new Promise((resolve) => {
    body.on('data', (chunk: Buffer) => {
      if (response.write(chunk)) {
        if (isCrowded?.() === true) rest(body);
        return;
      }
      body.pause();
      response.once('drain', () => body.resume());
    });
    body.on('end', () => {
      const { trailers = {} } = body;
      if (Object.keys(trailers).length > 0) response.addTrailers(trailers);
      response.end();
    });
    body.on('error', () => response.destroy());
    response.once('close', () => {
      body.destroy();
      resolve();
    });
  });
}

function noteOutcome(answer: UpstreamResponse, { notes }: ForwardedRequest): void {
  for (const [note, header] of [
    ['provider', 'x-weir-provider'],
    ['attempts', 'x-weir-attempts'],
    ['costUsd', 'x-weir-cost'],
  ] as const) {
    const value = answer.headers[header];
    if (typeof value === 'string') notes[note] = value;
  }
}
