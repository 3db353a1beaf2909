import { CALLER_HEADER, GREETING_HEADER, NOT_BEGUN_HEADER, REQUEST_ID_HEADER, WORK_HEADER, type ServiceId } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { addHeader, flushHead, type ForwardedRequest } from '@weir/http-server';
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
import { encodeForwarded, type EncodedForward } from './encode-forwarded';
import { findSystemCode, isNeverSent } from './never-sent';
import type { ForwardToService, AdmittedRequest } from './forward-in-process';
import { createKnownTerms } from './known-terms';
import { SentPassport, type PassportDesk } from './sent-passport';
import type { WorkerAddresses } from './worker-addresses';

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
  GREETING_HEADER,
]);

/** How often a worker is asked, and how long between, while no connection to one can be had. */
const TRIES_MAX = 3;
const TRY_AGAIN_MS = 50;

type HttpForwardOptions = {
  readonly workers: Partial<Record<ServiceId, WorkerAddresses>>;
  readonly send: UpstreamTransport;
  readonly passportSecret: string;
  /** Learns of providers from what workers report of each request. */
  readonly health?: Pick<RouteHealth, 'record'>;
};

/** The adapter between processes: one HTTP request with the passport in a signed header, bytes streamed both ways. */
export function createHttpForward(options: HttpForwardOptions): ForwardToService {
  const coalesce = createReadCoalescer();
  const desk = { secret: options.passportSecret, known: createKnownTerms({ now: Date.now }) };
  const parts = { ...options, desk };
  return async (service, admitted) => {
    const reply = await openWorker(service, admitted, parts);
    if (reply === undefined) return;
    if (reply.headers[NOT_BEGUN_HEADER] !== undefined) await admitted.giveBack?.();
    const outcomes = reply.headers[OUTCOMES_HEADER];
    if (options.health !== undefined && typeof outcomes === 'string') recordOutcomes(outcomes, admitted.passport, options.health);
    // A caller that left meanwhile has closed its response already, which will not close again.
    if (admitted.response.destroyed) reply.body.destroy();
    else await relay(reply, admitted, coalesce);
  };
}

type ForwardParts = HttpForwardOptions & { readonly desk: PassportDesk };

/** One for all: a response is closed at the end of every request, and making an error takes longer than signing a passport. */
const CALLER_GONE = new Error('the caller closed the connection');

/** Undefined when the caller is gone: the worker sees its connection close, or is not asked at all. */
async function openWorker(service: ServiceId, admitted: AdmittedRequest, parts: ForwardParts): Promise<UpstreamResponse | undefined> {
  const workers = parts.workers[service];
  if (workers === undefined) throw new Error(`the address of ${service} is not set`);
  if (admitted.response.destroyed) {
    await admitted.giveBack?.();
    return undefined;
  }
  const { signal, abort } = createCancellation();
  admitted.response.once('close', () => abort(CALLER_GONE));
  try {
    return await sendUntilTaken({ workers, admitted, signal }, parts);
  } catch (error) {
    if (isNeverSent(error)) await admitted.giveBack?.();
    if (signal.aborted) return undefined;
    throw explainFailure(error, admitted.notes);
  }
}

type Sending = { readonly workers: WorkerAddresses; readonly admitted: AdmittedRequest; readonly signal: CancelSignal };

/**
 * Asks again where the connection itself was refused, because another worker may have taken the place of the one that was
 * there or is elsewhere, and at once where a worker wants the passport whole. Of a try that ended like this no worker has begun anything.
 */
async function sendUntilTaken(sending: Sending, parts: ForwardParts): Promise<UpstreamResponse | undefined> {
  const { workers } = sending;
  let isWhole = false;
  let address = workers.next();
  for (let triesLeft = TRIES_MAX + workers.list.length - 1; ;) {
    const encoded = encodeForwarded(sending.admitted);
    const sent = new SentPassport(sending.admitted, { path: encoded.path, isWhole }, parts.desk);
    try {
      const reply = await parts.send(describeCall(address.url, sending, encoded, sent));
      if (!sent.learn(reply)) return reply;
      // To its end, so that the connection can be used again.
      reply.body.resume();
      isWhole = true;
    } catch (error) {
      triesLeft -= 1;
      if (!isNeverSent(error) || triesLeft === 0) throw error;
      // At once where there is another one.
      address.isAway = true;
      if (workers.areAllAway()) await pause(TRY_AGAIN_MS);
      address = workers.next();
    }
    if (sending.signal.aborted) {
      await sending.admitted.giveBack?.();
      return undefined;
    }
  }
}

function explainFailure(error: unknown, notes: ForwardedRequest['notes']): GatewayError {
  notes['cause'] = findSystemCode(error) ?? null;
  return new GatewayError('dependency_down', 'The request could not be forwarded inside the gateway. Try again shortly.', { cause: error });
}

function describeCall(address: string, { admitted, signal }: Sending, encoded: EncodedForward, sent: SentPassport): UpstreamCall {
  const { passport, priority } = admitted;
  const timeoutMs = passport.deadlineMs - passport.admittedAtMs;
  const headers = pickHeaders(admitted.headers);
  Object.assign(headers, encoded.headers);
  if (priority !== undefined) headers[WORK_HEADER] = priority;
  headers[CALLER_HEADER] = passport.caller.apiKeyId;
  headers[REQUEST_ID_HEADER] = passport.requestId;
  return {
    method: encoded.method,
    url: address + encoded.path,
    headers,
    addHeaders: (added, connection) => sent.write(added, connection),
    body: encoded.body,
    signal,
    headersTimeoutMs: timeoutMs,
    idleTimeoutMs: timeoutMs,
  };
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
  const { headers } = answer;
  noteOutcome(answer, admitted);
  response.statusCode = answer.status;
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || HOP_BY_HOP.has(name)) continue;
    // Only chunks can be followed by trailers, and callers of before HTTP/1.1 take none.
    if (name === 'trailer' && !response.useChunkedEncodingByDefault) continue;
    if (typeof value === 'string') addHeader(response, name, value);
    else response.setHeader(name, value);
  }
  const pumped = pump(answer, admitted, rest);
  // After the body's first tick: what of it came with the head is written with it.
  process.nextTick(flushHead, response);
  return pumped;
}

/** Copies bytes as they come. A worker that dies in mid-reply cuts the caller's connection: never a clean end. */
function pump({ body }: UpstreamResponse, admitted: ForwardedRequest, rest: ReadCoalescer): Promise<void> {
  const { response, isCrowded } = admitted;
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
      if (Object.keys(trailers).length > 0) {
        noteOutcome({ headers: trailers }, admitted);
        response.addTrailers(trailers);
      }
      response.end();
    });
    body.on('error', () => response.destroy());
    response.once('close', () => {
      body.destroy();
      resolve();
    });
  });
}

const NOTED_HEADERS = [
  ['provider', 'x-weir-provider'],
  ['attempts', 'x-weir-attempts'],
  ['costUsd', 'x-weir-cost'],
] as const;

/** What came behind the reply as well. */
function noteOutcome({ headers }: { readonly headers: UpstreamResponse['headers'] }, { notes }: ForwardedRequest): void {
  for (const [note, header] of NOTED_HEADERS) {
    const value = headers[header];
    if (typeof value === 'string') notes[note] = value;
  }
}
