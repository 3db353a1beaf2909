import { createCompletionFrames, createCompletionReply, createRequestBody } from './sample-bodies';
import { findReplyFault, isReplyComplete } from './read-reply';

const whole = { stream: false, wantsCost: false, frames: 3 };
const stream = { stream: true, wantsCost: false, frames: 3 };

function encodeWhole(body: string, status = '200 OK'): Buffer {
  return Buffer.from(`HTTP/1.1 ${status}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function encodeChunked(pieces: readonly string[]): Buffer {
  const chunks = pieces.map((piece) => `${Buffer.byteLength(piece).toString(16)}\r\n${piece}\r\n`);
  return Buffer.from(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks.join('')}0\r\n\r\n`);
}

describe('isReplyComplete', () => {
  it.each([
    ['a counted reply', encodeWhole(createCompletionReply('m'))],
    ['a chunked reply', encodeChunked(createCompletionFrames('m', 3))],
  ])('sees the end of %s at its last byte and not before, wherever it is split', (_, reply) => {
    for (let at = 1; at < reply.length - 1; at += 7) {
      expect(isReplyComplete([reply.subarray(0, at)])).toBe(false);
      expect(isReplyComplete([reply.subarray(0, at), reply.subarray(at)])).toBe(true);
    }
    expect(isReplyComplete([reply.subarray(0, -2), reply.subarray(-2)])).toBe(true);
  });
});

describe('findReplyFault', () => {
  it('finds nothing wrong with what the fake upstream sends', () => {
    expect(findReplyFault(encodeWhole(createCompletionReply('m')), whole)).toBeUndefined();
    expect(findReplyFault(encodeChunked(createCompletionFrames('m', 3)), stream)).toBeUndefined();
  });

  it('refuses another status, quoting the body', () => {
    expect(findReplyFault(encodeWhole('{"error":"slow"}', '429 Too Many Requests'), whole)).toBe('status 429: {"error":"slow"}');
  });

  it('refuses a stream without its end marker or with frames missing', () => {
    const frames = createCompletionFrames('m', 3);

    expect(findReplyFault(encodeChunked(frames.slice(0, -1)), stream)).toContain('end marker');
    expect(findReplyFault(encodeChunked(frames.filter((frame) => !frame.includes('word2'))), stream)).toContain('lost frames');
  });

  it('wants a price of a gateway and takes it as number or text', () => {
    const reply = createCompletionReply('m');

    expect(findReplyFault(encodeWhole(reply), { ...whole, wantsCost: true })).toBe('usage.cost is missing');
    expect(
      findReplyFault(encodeWhole(reply.replace('"usage":{', '"usage":{"cost":0.00012,')), { ...whole, wantsCost: true }),
    ).toBeUndefined();
    expect(
      findReplyFault(encodeWhole(reply.replace('"usage":{', '"usage":{"cost":"0.00012",')), { ...whole, wantsCost: true }),
    ).toBeUndefined();
    expect(findReplyFault(encodeWhole(reply.replace('"usage":{', '"usage":{"cost":null,')), { ...whole, wantsCost: true })).toBe(
      'usage.cost is missing',
    );
  });
});

describe('createRequestBody', () => {
  it('is 2 KB and asks for usage in streams', () => {
    expect(createRequestBody('some/model', false)).toHaveLength(2048);
    expect(JSON.parse(createRequestBody('some/model', true))).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });
});
