import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { providerTimeHeader } from './provider-time-header';

describe('the header that shows the time of providers', () => {
  it.each([
    [{}, false],
    [{ 'x-weir-debug': 'plan' }, false],
    [{ 'x-weir-debug': 'plan, overhead' }, true],
  ])('is asked for by %j: %p', (headers, expected) => {
    expect(providerTimeHeader.isAskedFor(headers)).toBe(expected);
  });

  it('holds what was waited for until the head of the response was written', async () => {
    let providerMs = 1;
    const server = createServer((_, response) => {
      providerTimeHeader.writeWithHead(response, () => providerMs);
      providerMs = 12.345;
      response.end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const reply = await new Promise<IncomingMessage>((resolve) => get({ host: '127.0.0.1', port }, resolve));
    reply.resume();
    expect(reply.headers['x-weir-provider-ms']).toMatch(/^12\.3[45]$/);
    await new Promise((resolve) => server.close(resolve));
  });
});
