import { createReplyEnd } from './reply-end';

const COUNTED = 'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nContent-Length: 5\r\n\r\nhello';
const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\ne\r\ndata: [DONE]\n\n\r\n0\r\n\r\n';

describe('the end of a reply', () => {
  it.each([
    ['counted', COUNTED],
    ['chunked', CHUNKED],
  ])('is seen at the last byte of one that is %s and not before, wherever it is split, one after another', (_, text) => {
    const reply = Buffer.from(text);
    const end = createReplyEnd();
    for (let at = 1; at < reply.length; at += 1) {
      expect([end.take(reply.subarray(0, at)), end.take(reply.subarray(at))]).toEqual([false, true]);
      expect(end.start().toString('latin1', 9, 12)).toBe(text.slice(9, 12));
      end.reset();
    }
    for (const [index, byte] of [...reply].entries()) expect(end.take(Buffer.from([byte]))).toBe(index === reply.length - 1);
  });

  it('shows how a reply in chunks ended', () => {
    const end = createReplyEnd();
    end.take(Buffer.from(CHUNKED));
    expect(end.tail()).toContain('[DONE]');
  });
});
