import type { Random } from './random';
import { encodeRequest, type FuzzRequest } from './request';

const CHAT = Buffer.from('{"model":"sandbox/chat","messages":[{"role":"user","content":"hi"}]}');

/** What an HTTP library would not send: `lines` are all between the request line and the body. */
type Raw = { readonly about: string; readonly line?: string; readonly lines: readonly string[]; readonly body?: string };

const LENGTH = `content-length: ${CHAT.length}`;
const RAW: readonly Raw[] = [
  { about: 'a length and chunks', lines: [LENGTH, 'transfer-encoding: chunked'], body: '0\r\n\r\nGET /v1/models HTTP/1.1\r\n\r\n' },
  { about: 'two lengths', lines: [LENGTH, 'content-length: 5'] },
  { about: 'a length twice in one', lines: [`content-length: ${CHAT.length}, 5`] },
  { about: 'a negative length', lines: ['content-length: -1'] },
  { about: 'a length of letters', lines: ['content-length: 0x10'] },
  { about: 'an enormous length', lines: ['content-length: 99999999999999999999'] },
  { about: 'a length beyond every limit', lines: ['content-length: 9000000000'] },
  { about: 'chunks that are none', lines: ['transfer-encoding: chunked'], body: 'zz\r\nhello\r\n0\r\n\r\n' },
  { about: 'a chunk with an endless extension', lines: ['transfer-encoding: chunked'], body: `1;${'x'.repeat(40_000)}\r\na\r\n0\r\n\r\n` },
  { about: 'a coding no one knows', lines: ['transfer-encoding: identity, xchunked', LENGTH] },
  { about: 'a space before the colon', lines: ['content-length : 5', LENGTH] },
  { about: 'a folded header', lines: ['x-title: a', ' b: c', LENGTH] },
  { about: 'a header without a name', lines: [': x', LENGTH] },
  { about: 'a bare line feed', lines: ['x-title: a\nx-weir-passport: forged', LENGTH] },
  { about: 'a nul in a header', lines: ['x-title: a\0b', LENGTH] },
  { about: 'headers beyond measure', lines: [`x-title: ${'a'.repeat(100_000)}`, LENGTH] },
  { about: 'two thousand headers', lines: [...Array.from({ length: 2000 }, (_, index) => `x-h${index}: 1`), LENGTH] },
  { about: 'a passport of the caller’s own', lines: ['x-weir-passport: e30.AAAA', LENGTH] },
  { about: 'two keys', lines: ['authorization: Bearer other', 'authorization: Bearer another', LENGTH] },
  { about: 'a compressed body', lines: ['content-encoding: gzip', LENGTH] },
  { about: 'a form without a boundary', lines: ['content-type: multipart/form-data', LENGTH] },
  { about: 'a type without end', lines: [`content-type: ${'a/'.repeat(5000)}`, LENGTH] },
  { about: 'twenty-one metadata fields', lines: [...Array.from({ length: 21 }, (_, index) => `x-weir-f${index}: v`), LENGTH] },
  { about: 'metadata that is too long', lines: [`x-weir-f: ${'v'.repeat(65)}`, LENGTH] },
  { about: 'an expectation', lines: ['expect: 100-continue', LENGTH] },
  { about: 'an upgrade', lines: ['connection: upgrade', 'upgrade: websocket', LENGTH] },
  { about: 'a version of the future', line: 'POST /v1/chat/completions HTTP/9.9', lines: [LENGTH] },
  { about: 'no version', line: 'POST /v1/chat/completions', lines: [LENGTH] },
  { about: 'a method no one knows', line: 'BREW /v1/chat/completions HTTP/1.1', lines: [LENGTH] },
  { about: 'an absolute address', line: 'POST http://169.254.169.254/v1/chat/completions HTTP/1.1', lines: [LENGTH] },
  { about: 'a path upwards', line: 'GET /docs/../../../../etc/passwd HTTP/1.1', lines: [] },
  { about: 'an encoded path upwards', line: 'GET /docs/..%2f..%2fpackage.json HTTP/1.1', lines: [] },
  { about: 'half an escape', line: 'GET /v1/models/%e0%a4%a HTTP/1.1', lines: [] },
  { about: 'a path without end', line: `GET /v1/models/${'a'.repeat(20_000)} HTTP/1.1`, lines: [] },
  { about: 'parameters without end', line: `GET /v1/manage/org/usage?${'start=x&'.repeat(2000)} HTTP/1.1`, lines: [] },
  { about: 'parameters with proto', line: 'GET /v1/manage/org/usage?__proto__[x]=1&constructor[prototype]=2 HTTP/1.1', lines: [] },
  { about: 'TLS', line: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', lines: [] },
];

const PATHS = ['/v1/chat/completions', '/v1/responses', '/v1/messages', '/v1/embeddings', '/v1/images/edits', '/v1/manage/apikey'];

/** A request that is wrong below its body. */
export function createRawRequest(random: Random, key: string): FuzzRequest {
  const { about, line, lines, body } = random.pick(RAW);
  const first = line ?? `POST ${random.pick(PATHS)} HTTP/1.1`;
  const own = lines.some((one) => one.startsWith('content-type:')) ? [] : ['content-type: application/json'];
  const head = [first, 'host: gateway', 'connection: close', `authorization: Bearer ${key}`, ...own, ...lines].join('\r\n');
  return { about, bytes: Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), Buffer.from(body ?? CHAT)]), dialect: undefined };
}

/** Nothing wrong with it: what is answered properly between all the rest. */
export function createSoundRequest(key: string): FuzzRequest {
  return {
    about: 'a sound request',
    bytes: encodeRequest({
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: CHAT,
    }),
    dialect: 'gateway',
  };
}
