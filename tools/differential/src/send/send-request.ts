import { request as open, type Agent, type ClientRequest, type IncomingMessage } from 'node:http';
import type { World } from '../gateways/world';
import type { Request } from '../requests/request';

/** What a caller got, as its bytes say. */
export type Response = {
  /** 0 when the connection ended before a status. */
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  readonly trailers: readonly (readonly [string, string])[];
  readonly ended: 'complete' | 'broken off' | 'left by the caller';
};

type Where = { readonly url: string; readonly world: World; readonly agent: Agent };

/** Sends one request and reads its response to the end, or to where its caller leaves. */
export function sendRequest({ url, world, agent }: Where, request: Request): Promise<Response> {
  const body = bytesOf(request.body);
  const sent = open(url + request.path, {
    method: request.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...credentials(request, world),
      ...typeOf(request),
      ...request.headers,
      ...(body === undefined ? {} : { 'content-length': body.length }),
    },
    agent,
  });
  sent.end(body);
  return request.leavesAfter === 0 ? leaveUnanswered(sent) : readResponse(sent, request.leavesAfter);
}

function bytesOf(body: Request['body']): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function typeOf({ body }: Request): Record<string, string> {
  return body === undefined ? {} : { 'content-type': 'application/json' };
}

function credentials({ key }: Request, { keys }: World): Record<string, string> {
  if (key === null) return {};
  if (typeof key === 'object') return { authorization: `Bearer ${key.literal}` };
  const secret = keys.get(key);
  if (secret === undefined) throw new Error(`there is no key ${key}`);
  return { authorization: `Bearer ${secret}` };
}

const LEAVE_AFTER_MS = 300;
const NOTHING = { status: 0, headers: [], body: Buffer.alloc(0), trailers: [] };

function leaveUnanswered(sent: ClientRequest): Promise<Response> {
  return new Promise((done) => {
    sent.on('error', () => undefined);
    sent.once('close', () => done({ ...NOTHING, ended: 'left by the caller' }));
    setTimeout(() => sent.destroy(), LEAVE_AFTER_MS);
  });
}

function readResponse(sent: ClientRequest, leavesAfter: number | undefined): Promise<Response> {
  return new Promise((done) => {
    sent.once('error', () => done({ ...NOTHING, ended: 'broken off' }));
    sent.once('response', (message) => {
      const chunks: Buffer[] = [];
      const finish = (ended: Response['ended']): void => {
        const body = Buffer.concat(chunks);
        const { rawTrailers } = message;
        const kept = leavesAfter === undefined ? body : firstFrames(body, leavesAfter);
        done({ status: message.statusCode ?? 0, headers: pairs(message.rawHeaders), body: kept, trailers: pairs(rawTrailers), ended });
      };
      message.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (leavesAfter !== undefined && countFrames(Buffer.concat(chunks)) >= leavesAfter) {
          finish('left by the caller');
          message.destroy();
        }
      });
      message.once('end', () => finish('complete'));
      message.once('error', () => finish(hasEnded(message) ? 'complete' : 'broken off'));
    });
  });
}

function hasEnded(message: IncomingMessage): boolean {
  return message.complete;
}

function pairs(raw: readonly string[]): (readonly [string, string])[] {
  return Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? ''] as const);
}

function countFrames(body: Buffer): number {
  return body.toString('latin1').split('\n\n').length - 1;
}

/** How much more than these had come when the caller left is chance. */
function firstFrames(body: Buffer, count: number): Buffer {
  const frames = body.toString('latin1').split('\n\n').slice(0, count);
  return Buffer.from(frames.map((frame) => `${frame}\n\n`).join(''), 'latin1');
}
