import type { ErrorDialect } from '@weir/contracts';
import type { FuzzRequest } from './corpus/request';
import { readReply, type HttpReply } from './wire/read-reply';
import type { RawReply } from './wire/send-raw';

/** No 5xx among them: nothing that a caller sends is our fault or a provider’s. */
const PROPER = new Set([200, 201, 204, 304, 400, 401, 402, 403, 404, 405, 408, 409, 412, 413, 414, 415, 417, 422, 429, 431]);
/** Refused by the parser, before anything is known of the endpoint: without an envelope. */
const BELOW_ENDPOINTS = new Set([400, 408, 413, 414, 417, 431]);

type Verdict = { readonly status: number | undefined; readonly problem: string | undefined };

/** Whether an answer is one that a caller of the endpoint can do something with. */
export function checkReply({ dialect }: FuzzRequest, raw: RawReply): Verdict {
  if (!raw.isClosed) return { status: undefined, problem: 'the connection was left open' };
  const answer = readReply(raw.bytes);
  // What is not HTTP may lose its connection without a word.
  if (answer === undefined) return { status: undefined, problem: dialect === undefined ? undefined : 'there was no answer' };
  return { status: answer.status, problem: findProblem(answer, dialect) };
}

function findProblem(answer: HttpReply, dialect: ErrorDialect | undefined): string | undefined {
  const { status, headers, body } = answer;
  if (!PROPER.has(status)) return `the status is ${status}: ${body.slice(0, 200)}`;
  if (body.includes('    at ') || body.includes('node:internal')) return `the reply reveals a stack trace: ${body.slice(0, 200)}`;
  if (status < 400) return headers.get('content-type')?.startsWith('text/event-stream') === true ? findStreamProblem(body) : undefined;
  if (body === '' && (status === 413 || (dialect === undefined && BELOW_ENDPOINTS.has(status)))) return undefined;
  const type = headers.get('content-type');
  if (type !== typeOfErrors(dialect)) return `an error of the type ${String(type)}`;
  return findEnvelopeProblem(body, dialect);
}

function typeOfErrors(dialect: ErrorDialect | undefined): string {
  return dialect === 'scim' ? 'application/scim+json' : 'application/json; charset=utf-8';
}

/** Every event is whole: nothing that was sent can end one and begin another. */
function findStreamProblem(body: string): string | undefined {
  const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith(':'));
  const strange = lines.find((line) => !/^(event|id|retry): [^\r]*$/.test(line) && !isWholeData(line));
  return strange === undefined ? undefined : `a stream with the line ${JSON.stringify(strange.slice(0, 200))}`;
}

function isWholeData(line: string): boolean {
  return line === 'data: [DONE]' || (line.startsWith('data: ') && isJson(line.slice('data: '.length)));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

type Envelope = {
  readonly type?: unknown;
  readonly detail?: unknown;
  readonly error?: { readonly message?: unknown; readonly origin?: unknown; readonly type?: unknown };
};

function findEnvelopeProblem(body: string, dialect: ErrorDialect | undefined): string | undefined {
  if (!isJson(body)) return `an error that is no JSON: ${body.slice(0, 200)}`;
  const { type, error, detail } = JSON.parse(body) as Envelope;
  if (dialect === 'scim') return typeof detail === 'string' ? undefined : `not the envelope of SCIM: ${body.slice(0, 200)}`;
  if (typeof error?.message !== 'string') return `an error without a message: ${body.slice(0, 200)}`;
  if (dialect === 'messages' && (type !== 'error' || typeof error.type !== 'string'))
    return `not the envelope of messages: ${body.slice(0, 200)}`;
  if (dialect === 'gateway' && error.origin !== 'router' && error.origin !== 'provider')
    return `not the gateway’s envelope: ${body.slice(0, 200)}`;
  return undefined;
}
