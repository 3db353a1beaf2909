import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createUpstreamTransport } from './create-upstream-transport';
import { readLimited } from './read-limited';
import type { ConnectionNotes } from './upstream-transport';

const WAYS = { connectTimeoutMs: 2000, connectionsMax: 1 };

describe('notes of a connection', () => {
  let server: Server;
  let url: string;
  /** The connection ends with the next reply. */
  let isLast: boolean;
  beforeEach(async () => {
    server = createServer((request, response) => {
      if (isLast) response.setHeader('connection', 'close');
      response.end(request.headers['x-noted']);
    });
    isLast = false;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const open = (isInner: boolean) => {
    const transport = createUpstreamTransport({ ...WAYS, isInner });
    const ask = async (addHeaders: (headers: Record<string, string>, notes: ConnectionNotes) => void): Promise<string> => {
      const { signal } = new AbortController();
      const reply = await transport.send({
        ...{ method: 'GET', url, headers: {}, body: '', signal, headersTimeoutMs: 5000, idleTimeoutMs: 5000 },
        addHeaders,
      });
      return (await readLimited(reply.body, 1000)).toString();
    };
    return { ask, close: () => transport.close() };
  };
  const count = (headers: Record<string, string>, notes: ConnectionNotes): void => {
    notes['count'] = Number(notes['count'] ?? 0) + 1;
    headers['x-noted'] = `request ${String(notes['count'])}`;
  };

  it('are there for every request over it, and not for those over the next', async () => {
    const { ask, close } = open(true);

    const ended = once(server, 'connection').then(([socket]) => once(socket as Socket, 'close'));
    expect(await ask(count)).toBe('request 1');
    isLast = true;
    expect(await ask(count)).toBe('request 2');
    await ended;
    expect(await ask(count)).toBe('request 1');
    await close();
  });

  it('reject the request where nothing can be made of them', async () => {
    const { ask, close } = open(true);
    const failing = ask(() => {
      throw new Error('too large');
    });

    await expect(failing).rejects.toMatchObject({ cause: { message: 'too large' } });
    expect(await ask(count)).toBe('request 1');
    await close();
  });

  it('are kept of processes of ours only', async () => {
    const { ask, close } = open(false);

    expect(await ask(count)).toBe('');
    await close();
  });
});
