import { PASSPORT_HEADER, signPassport, type ServiceId } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { WorkerRequest } from '@weir/http-server';
import { OUTCOMES_HEADER, recordOutcomes, type RouteHealth } from '@weir/routing';
import {
  createBodyRest,
  createCancellation,
  type BodyRest,
  type UpstreamCall,
  type UpstreamResponse,
  type UpstreamTransport,
} from '@weir/upstream-http';
import type { IncomingHttpHeaders } from 'node:http';
import { encodeWork } from './encode-work';
import { findSystemCode } from './explain-failure';
import type { ForwardToService } from './forward-in-process';

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
  'x-request-id',
  OUTCOMES_HEADER,
]);

export type HttpForwardOptions = {
  readonly addresses: Partial<Record<ServiceId, string>>;
  readonly send: UpstreamTransport;
  readonly passportSecret: string;
  /** Learns of providers from what workers tell of each request. */
  readonly health?: Pick<RouteHealth, 'record'>;
};

/** The adapter between processes: one HTTP request with the passport in a signed header, bytes streamed both ways. */
export function createHttpForward({ addresses, send, passportSecret, health }: HttpForwardOptions): ForwardToService {
  const rest = createBodyRest();
  return async (service, work) => {
    const address = addresses[service];
    if (address === undefined) throw new Error(`the address of ${service} is not set`);
    const cancellation = createCancellation();
    work.response.once('close', () => cancellation.abort(new Error('the caller closed the connection')));
    const { method, path, headers, body } = encodeWork(work);
    const call = {
      method,
      url: address + path,
      headers: { ...pickHeaders(work.headers), ...headers, [PASSPORT_HEADER]: signPassport(work.passport, passportSecret) },
      body,
      signal: cancellation.signal,
      headersTimeoutMs: work.passport.deadlineMs - work.passport.admittedAtMs,
      idleTimeoutMs: work.passport.deadlineMs - work.passport.admittedAtMs,
    };
    const answer = await openWorker(send, call, work.notes);
    if (answer === undefined) return;
    const outcomes = answer.headers[OUTCOMES_HEADER];
    if (health !== undefined && typeof outcomes === 'string') recordOutcomes(outcomes, work.passport, health);
    await relay(answer, work, rest);
  };
}

async function openWorker(
  send: UpstreamTransport,
  call: UpstreamCall,
  notes: WorkerRequest['notes'],
): Promise<UpstreamResponse | undefined> {
  try {
    return await send(call);
  } catch (error) {
    if (call.signal.aborted) return undefined; // the caller is gone; the worker sees its connection close
    notes['cause'] = findSystemCode(error) ?? null;
    throw new GatewayError('dependency_down', 'The request could not be handed on inside the gateway. Try again shortly.', {
      cause: error,
    });
  }
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

function relay(answer: UpstreamResponse, work: WorkerRequest, rest: BodyRest): Promise<void> {
  const { response } = work;
  noteOutcome(answer, work);
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined && !HOP_BY_HOP.has(name)) response.setHeader(name, value);
  }
  response.flushHeaders();
  return pump(answer, work, rest);
}

/** Copies bytes as they come. A worker that dies in mid-reply cuts the caller's connection: never a clean end. */
function pump({ body }: UpstreamResponse, { response, isCrowded }: WorkerRequest, rest: BodyRest): Promise<void> {
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

function noteOutcome(answer: UpstreamResponse, { notes }: WorkerRequest): void {
  for (const [note, header] of [
    ['provider', 'x-weir-provider'],
    ['attempts', 'x-weir-attempts'],
  ] as const) {
    const value = answer.headers[header];
    if (typeof value === 'string') notes[note] = value;
  }
}
