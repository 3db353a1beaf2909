import type { UpstreamResponse } from '@weir/upstream-http';
import { Readable } from 'node:stream';
import { checkWorker } from './check-worker';

const answer = (status: number, body: unknown) => () =>
  Promise.resolve({ status, headers: {}, body: Readable.from([Buffer.from(JSON.stringify(body))]) } as unknown as UpstreamResponse);

describe('whether a worker would take a request', () => {
  test.each([
    ['ready', 200, { status: 'ready' }, true],
    ['on its way out', 503, { status: 'not ready', problems: ['shutting down'] }, true],
    ['without a journal', 503, { status: 'not ready', problems: ['the usage journal does not accept records'] }, false],
    ['something else', 503, 'nonsense', false],
  ])('one that is %s', async (_, status, body, takesRequests) => {
    expect((await checkWorker('chat-translator', 'http://worker', answer(status, body))) === null).toBe(takesRequests);
  });

  it('asks again where a connection fails, which may be one that a replaced worker closed', async () => {
    const ready = answer(200, { status: 'ready' });
    let asked = 0;
    const send = () => ((asked += 1) < 3 ? Promise.reject(new Error('reset')) : ready());

    expect(await checkWorker('chat-translator', 'http://worker', send)).toBeNull();
    expect(asked).toBe(3);
  });

  it('rejects when no worker accepts the connection', async () => {
    await expect(checkWorker('chat-translator', 'http://worker', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  });
});
