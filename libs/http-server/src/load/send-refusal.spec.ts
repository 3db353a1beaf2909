import { encodeError, GatewayError } from '@weir/errors';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRefusalSender } from './send-refusal';

const REFUSAL = new GatewayError('overloaded', 'Too much to do – später.', { retryAfterSeconds: 3 });

describe('a refusal that was prepared', () => {
  it.each(['gateway', 'messages', 'access-list'] as const)('is what the error would be in the %s dialect, every time', async (dialect) => {
    const send = createRefusalSender();
    let count = 0;
    const server = createServer((_request, response) => send(response, REFUSAL, { requestId: `id-${(count += 1)}`, dialect }));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

    for (const id of ['id-1', 'id-2']) {
      const reply = await fetch(url);
      const { status, headers, body } = encodeError(REFUSAL, dialect, id);
      expect([reply.status, await reply.text()]).toEqual([status, body]);
      expect(Object.fromEntries(reply.headers)).toMatchObject({ ...headers, 'x-request-id': id, 'retry-after': '3' });
      expect(reply.headers.get('connection')).toBe('keep-alive');
    }
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
