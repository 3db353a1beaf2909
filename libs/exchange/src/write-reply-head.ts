import type { Usage } from '@weir/canonical';
import type { Attempt, ChatDialect } from '@weir/contracts';
import { addHeader, flushHead } from '@weir/http-server';
import type { ServerResponse } from 'node:http';
import type { Lost } from './check-losses';
import type { WatchedRequest } from './watched-request';

type HeadSession = Pick<WatchedRequest, 'response' | 'forwarded'> & { readonly dialect?: ChatDialect };
type HeadLane = {
  readonly provider: { readonly id: string };
  readonly target: { readonly attempt: Attempt };
  readonly losses?: Lost;
};

/** Sets the headers of every inference response: who served it, after how many attempts, and what was lost. `servedModelId`: where that is another model than was asked for. */
export function writeReplyHead(session: HeadSession, lane: HeadLane, attemptIndex: number, servedModelId?: string): void {
  const { response, forwarded } = session;
  response.statusCode = 200;
  addHeader(response, 'x-weir-model', servedModelId ?? lane.target.attempt.modelId);
  addHeader(response, 'x-weir-provider', lane.provider.id);
  addHeader(response, 'x-weir-attempts', String(attemptIndex + 1));
  if (session.dialect === 'messages') addHeader(response, 'request-id', forwarded.passport.requestId);
  if (lane.losses !== undefined) writeLosses(response, lane.losses);
  forwarded.notes.provider = lane.provider.id;
  forwarded.notes.attempts = attemptIndex + 1;
}

/** The same as a comment, for a response whose head had to leave before it was known who serves it. */
export function writeLateHead(session: HeadSession, lane: HeadLane, attemptIndex: number, servedModelId?: string): void {
  const { response, forwarded } = session;
  const { provider, target, losses } = lane;
  const said = [`model: ${servedModelId ?? target.attempt.modelId}`, `provider: ${provider.id}`, `attempts: ${attemptIndex + 1}`];
  for (const what of ['dropped', 'approximated'] as const) {
    const fields = losses?.[what];
    if (fields !== undefined && fields.size > 0) said.push(`${what}: ${listLost(fields)}`);
  }
  response.write(`${said.map((line) => `: x-weir-${line}\n`).join('')}\n`);
  forwarded.notes.provider = provider.id;
  forwarded.notes.attempts = attemptIndex + 1;
}

/** Reports what is lost; again, when more became known before the head is sent. */
export function writeLosses(response: ServerResponse, { dropped, approximated }: Lost): void {
  setLosses(response, 'x-weir-dropped', dropped);
  setLosses(response, 'x-weir-approximated', approximated);
}

function setLosses(response: ServerResponse, header: string, fields: ReadonlySet<string>): void {
  if (fields.size === 0) return;
  response.setHeader(header, listLost(fields));
}

function listLost(fields: ReadonlySet<string>): string {
  return [...fields]
    .join(', ')
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 2000);
}

/** The head of a reply that comes as server-sent events. It leaves with the first of them where that is there already, and else at once. */
export function writeStreamHead(response: ServerResponse): void {
  addHeader(response, 'content-type', 'text/event-stream; charset=utf-8');
  if (!response.hasHeader('cache-control')) addHeader(response, 'cache-control', 'no-cache');
  // Ingresses that buffer would turn a stream into one late reply.
  addHeader(response, 'x-accel-buffering', 'no');
  // When all that has been received was looked at: one write for head and events costs half of two.
  setImmediate(flushHead, response);
}

/** Says of a whole reply that the usage in it, and so its cost, is an estimate. */
export function writeUsageSource(response: ServerResponse, { source }: Pick<Usage, 'source'>): void {
  if (source === 'estimate') addHeader(response, 'x-weir-usage', 'estimated');
}

/** Sends a whole JSON reply with its cost. */
export function sendJson(response: ServerResponse, text: string, costUsd: string): void {
  addHeader(response, 'content-type', 'application/json; charset=utf-8');
  addHeader(response, 'x-weir-cost', costUsd);
  addHeader(response, 'content-length', String(Buffer.byteLength(text)));
  // As text, because node then writes head and body with one system call.
  response.end(text);
}
