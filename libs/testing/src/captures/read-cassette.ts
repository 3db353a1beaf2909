import { load } from 'js-yaml';
import type { Capture, CapturedRequest } from './capture';
import { classifyBody, decodeContent } from './classify-body';

type Headers = Readonly<Record<string, string>>;
type Node = Readonly<Record<string, unknown>>;

/** The exchanges of a recorded cassette, in order; VCR (two layouts), pydantic's parsed bodies and go-vcr are understood. */
export function readCassette(path: string, yaml: string): Capture[] {
  const cassette = load(yaml) as Node;
  const captures = listExchanges(cassette).map(([request, response]) => readExchange(path, request, response));
  if (captures.length === 0) throw new Error(`${path} holds no recorded exchange`);
  return captures;
}

function listExchanges(cassette: Node): (readonly [Node, Node])[] {
  if (Array.isArray(cassette['interactions'])) {
    return (cassette['interactions'] as { request: Node; response: Node }[]).map(({ request, response }) => [request, response]);
  }
  const requests = (cassette['requests'] ?? []) as Node[];
  const responses = (cassette['responses'] ?? []) as Node[];
  return requests.slice(0, responses.length).map((request, index) => [request, responses[index] as Node]);
}

function readExchange(path: string, request: Node, response: Node): Capture {
  const headers = readHeaders(response['headers']);
  const contentType = headers['content-type'];
  const body =
    response['parsed_body'] === undefined
      ? classifyBody(decodeContent(readBytes(response['body']), headers['content-encoding']), contentType)
      : ({ kind: 'json', body: JSON.stringify(response['parsed_body']) } as const);
  const status = readStatus(response);
  return {
    path,
    role: 'reply',
    ...body,
    ...(status === undefined ? {} : { status }),
    ...(contentType === undefined ? {} : { contentType }),
    request: readRequest(request),
  };
}

function readRequest(request: Node): CapturedRequest {
  return {
    method: String(request['method'] ?? 'POST'),
    url: String(request['uri'] ?? request['url'] ?? ''),
    headers: readHeaders(request['headers']),
    body: request['parsed_body'] ?? parseMaybe(readBytes(request['body']).toString('utf8')),
  };
}

/** A body is text, bytes, or `{ string }` around either. */
function readBytes(body: unknown): Buffer {
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return Buffer.from(body);
  if (typeof body === 'object' && body !== null && 'string' in body) return readBytes(body.string);
  return Buffer.alloc(0);
}

function readHeaders(headers: unknown): Headers {
  const entries = Object.entries((headers ?? {}) as Record<string, unknown>);
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(Array.isArray(value) ? value[0] : value)]));
}

function readStatus(response: Node): number | undefined {
  const status = response['status'];
  if (typeof response['code'] === 'number') return response['code'];
  if (typeof status === 'object' && status !== null && 'code' in status) return Number(status.code);
  return undefined;
}

function parseMaybe(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Forms stay as they were recorded.
    return text;
  }
}
