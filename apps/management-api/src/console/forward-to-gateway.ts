import { GatewayError } from '@weir/errors';
import type { Request, Response } from 'express';
import { request as sendHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as sendHttps } from 'node:https';
import { pickReplyHeaders, pickSentHeaders } from './forwarded-headers';

type Destination = {
  /** Base URL of the public interface. */
  readonly gatewayUrl: string;
  /** Path and query there. */
  readonly target: string;
  readonly key: string;
};

/** Sends a request to the public interface and its response back, both as they come; resolves when it is over. */
export function forwardToGateway(request: Request, response: Response, destination: Destination): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = openRequest(request, destination);
    // The browser has left, or has everything.
    response.once('close', () => {
      sent.destroy();
      resolve();
    });
    sent.once('response', (reply) => passBack(reply, response));
    sent.once('error', (cause) => {
      if (response.headersSent || response.destroyed) response.destroy();
      else reject(unreachable(cause));
    });
    if (hasBody(request)) request.pipe(sent);
    else sent.end();
  });
}

function openRequest(request: Request, { gatewayUrl, target, key }: Destination): ReturnType<typeof sendHttp> {
  const { protocol, hostname, port, pathname } = new URL(gatewayUrl);
  const options: RequestOptions = {
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    method: request.method,
    path: `${pathname === '/' ? '' : pathname}${target}`,
    headers: pickSentHeaders(request.headers, key),
    // People ask seldom: a connection that was kept for the next request might be closed by then.
    agent: false,
  };
  return protocol === 'https:' ? sendHttps(options) : sendHttp(options);
}

function passBack(reply: IncomingMessage, response: Response): void {
  response.statusCode = reply.statusCode ?? 502;
  for (const [name, value] of Object.entries(pickReplyHeaders(reply.headers))) {
    if (value !== undefined) response.setHeader(name, value);
  }
  response.flushHeaders();
  reply.once('error', () => response.destroy());
  reply.pipe(response);
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

function unreachable(cause: unknown): GatewayError {
  const message = 'The console cannot reach the gateway at the moment. Try again in a few seconds.';
  return new GatewayError('dependency_down', message, { cause, retryAfterSeconds: 2 });
}
