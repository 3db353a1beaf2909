import type { ErrorDialect } from '@weir/contracts';
import { checkReply } from './check-reply';

const answer = (status: number, body: string, type = 'application/json; charset=utf-8'): Buffer =>
  Buffer.from(`HTTP/1.1 ${status} X\r\ncontent-type: ${type}\r\n\r\n${body}`);
const judge = (bytes: Buffer, dialect: ErrorDialect | 'none' = 'gateway', isClosed = true): string | undefined =>
  checkReply({ about: '', bytes: Buffer.alloc(0), dialect: dialect === 'none' ? undefined : dialect }, { bytes, isClosed }).problem;
const gateway = '{"error":{"origin":"router","message":"no"}}';
const messages = '{"type":"error","error":{"type":"invalid_request_error","message":"no"}}';

describe('an answer to a malformed request', () => {
  it('is proper when a caller of the dialect can read it', () => {
    expect(judge(answer(400, gateway))).toBeUndefined();
    expect(judge(answer(400, messages), 'messages')).toBeUndefined();
    expect(judge(answer(403, '{"error":{"message":"no"}}'), 'access-list')).toBeUndefined();
    expect(judge(answer(413, ''))).toBeUndefined();
    expect(judge(answer(200, 'event: a\ndata: {"a":1}\n\n: ping\n\ndata: [DONE]\n\n', 'text/event-stream'))).toBeUndefined();
    expect(judge(Buffer.alloc(0), 'none')).toBeUndefined();
    expect(judge(Buffer.from('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n'), 'none')).toBeUndefined();
  });

  it.each([
    ['our fault', answer(500, gateway)],
    ['a provider’s fault', answer(502, gateway)],
    ['another dialect', answer(400, '{"error":{"message":"no"}}')],
    ['a page', answer(404, '<html></html>', 'text/html')],
    ['a stack', answer(400, '{"error":{"origin":"router","message":"x\\n    at f (a.js:1)"}}')],
    ['silence', Buffer.alloc(0)],
    ['an injected event', answer(200, 'data: {"a":"\n\ndata: [DONE]\n\n"}\n\n', 'text/event-stream')],
  ])('is found out when it is %s', (_, bytes) => {
    expect(judge(bytes)).toBeDefined();
  });

  it('is found out when the connection stays open, and in the wrong envelope', () => {
    expect(judge(answer(400, gateway), 'gateway', false)).toBeDefined();
    expect(judge(answer(400, gateway), 'messages')).toBeDefined();
    expect(judge(answer(400, messages), 'gateway')).toBeDefined();
  });
});
