import { NOT_BEGUN_HEADER, REQUEST_ID_HEADER } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { readCallerAddress } from '@weir/http-server';
import type { RequestHandler } from 'express';
import { request as sendRequest, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export const INNER_SECRET_HEADER = 'x-weir-inner-secret';
export const CALLER_ADDRESS_HEADER = 'x-weir-caller-address';

type PassOptions = {
  /** Where the books are kept now; undefined while that process is being replaced. */
  readonly port: () => number | undefined;
  readonly innerSecret: string;
  /** How long a request waits for a process that is being replaced. */
  readonly patienceMs?: number;
};

const PATIENCE_MS = 15_000;
const TRY_AGAIN_MS = 50;
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer', 'expect', NOT_BEGUN_HEADER]);

/** Passes requests on to the process that keeps the books, and its responses back, byte for byte. */
export function createPassToBooks({ port, innerSecret, patienceMs = PATIENCE_MS }: PassOptions): RequestHandler {
  return async (request, response) => {
    const untilMs = performance.now() + patienceMs;
    for (;;) {
      // Nothing is sent before there is someone to read it, so that waiting and trying again repeats nothing.
      const socket = await connectPatiently(port, untilMs);
      const isBroken = await pass(request, response, { socket, innerSecret });
      if (!isBroken) return;
      // It died with the request: what only reads is asked again.
      if (!isReading(request) || performance.now() > untilMs) throw unavailable();
      await pause(TRY_AGAIN_MS);
    }
  };
}

async function connectPatiently(port: PassOptions['port'], untilMs: number): Promise<Socket> {
  for (;;) {
    const now = port();
    const socket = now === undefined ? undefined : await tryConnect(now);
    if (socket !== undefined) return socket;
    if (performance.now() > untilMs) throw unavailable();
    await pause(TRY_AGAIN_MS);
  }
}

function tryConnect(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const fail = (): void => resolve(undefined);
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

/** Resolves to whether the connection broke before anything came back. */
function pass(
  request: IncomingMessage,
  response: ServerResponse,
  { socket, innerSecret }: { socket: Socket; innerSecret: string },
): Promise<boolean> {
  return new Promise((resolve) => {
    const { method, url: path } = request;
    const sent = sendRequest({
      createConnection: () => socket,
      method,
      path,
      headers: {
        ...pickHeaders(request.headers),
        ...(request.headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' }),
        [INNER_SECRET_HEADER]: innerSecret,
        [CALLER_ADDRESS_HEADER]: readCallerAddress(request) ?? '',
        [REQUEST_ID_HEADER]: String(response.getHeader('x-request-id')),
      },
    });
    sent.once('response', (reply) => {
      response.writeHead(reply.statusCode ?? 502, pickHeaders(reply.headers));
      reply.pipe(response);
      reply.once('error', () => response.destroy());
    });
    const onClose = (): void => {
      sent.destroy();
      resolve(false);
    };
    sent.once('error', () => {
      if (response.headersSent || response.destroyed) return void response.destroy();
      response.off('close', onClose);
      resolve(true);
    });
    response.once('close', onClose);
    if (isReading(request)) sent.end();
    else request.pipe(sent);
  });
}

/** Has no body, and changes nothing. */
function isReading({ method, headers }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  return !hasBody && (method === 'GET' || method === 'HEAD');
}

function pickHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
}

function unavailable(): GatewayError {
  return new GatewayError('dependency_down', 'The management interface is starting again. Try again in a few seconds.', {
    retryAfterSeconds: 2,
  });
}
