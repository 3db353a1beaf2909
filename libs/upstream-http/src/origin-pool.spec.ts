import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCancellation } from './create-cancellation';
import { createUpstreamTransport } from './create-upstream-transport';
import { findConnectionsMax } from './find-connections-max';
import { readLimited } from './read-limited';
import type { UpstreamCall, UpstreamResponse } from './upstream-transport';

const CONNECTIONS_MAX = 2;

/** Responses wait in `arrived` until the test ends them. */
async function open(waitMs = 60_000) {
  const arrived: ServerResponse[] = [];
  const sockets = new Set<object>();
  const server = createServer((request, response) => {
    sockets.add(request.socket);
    arrived.push(response);
    server.emit('arrived');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const transport = createUpstreamTransport({ connectTimeoutMs: 2000, connectionsMax: CONNECTIONS_MAX, waitMs });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const send = (more: Partial<UpstreamCall> = {}): Promise<UpstreamResponse> =>
    transport.send({
      method: 'POST',
      url: `${origin}/path`,
      headers: {},
      body: 'x',
      signal: createCancellation().signal,
      headersTimeoutMs: 5000,
      idleTimeoutMs: 5000,
      ...more,
    });
  return {
    send,
    sockets,
    load: () => transport.readLoads()[0],
    /** Ends the response that arrived first, as soon as there is one. */
    end: async (head: Record<string, string> = {}): Promise<void> => {
      while (arrived.length === 0) await once(server, 'arrived');
      arrived.shift()?.writeHead(200, head).end('ok');
    },
    close: async () => {
      await transport.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

const read = async (answer: Promise<UpstreamResponse>): Promise<string> => (await readLimited((await answer).body, 100)).toString();

describe('the connections to an origin', () => {
  it('are no more than they may be: further calls wait, are counted, and go on the first that is free', async () => {
    const { send, sockets, load, end, close } = await open();
    const calls = [send(), send(), send(), send()].map(read);
    expect(load()).toMatchObject({ waiting: 2, refused: 0 });
    for (let ended = 0; ended < 4; ended += 1) await end();

    expect(await Promise.all(calls)).toEqual(['ok', 'ok', 'ok', 'ok']);
    expect([sockets.size, load()]).toEqual([CONNECTIONS_MAX, expect.objectContaining({ connections: 2, waiting: 0 })]);
    await close();
  });

  it('refuse a call that has waited as long as it may, with 503 and when to try again', async () => {
    const { send, load, end, close } = await open(20);
    const served = [send(), send()].map(read);

    await expect(send()).rejects.toMatchObject({
      code: 'overloaded',
      status: 503,
      message: expect.stringContaining('All 2 connections') as string,
      details: { retryAfterSeconds: 1 },
    });
    expect(load()).toMatchObject({ waiting: 0, refused: 1 });
    await end();
    await end();
    expect(await Promise.all(served)).toEqual(['ok', 'ok']);
    await close();
  });

  it('do not wait for a caller that has left', async () => {
    const { send, load, end, close } = await open();
    const served = [send(), send()].map(read);
    const { signal, abort } = createCancellation();
    const left = send({ signal });
    abort(new Error('gone'));

    await expect(left).rejects.toThrow('gone');
    expect(load()).toMatchObject({ waiting: 0 });
    await end();
    await end();
    await Promise.all(served);
    await close();
  });

  it('are not used up by calls that cannot be sent, that no one takes, or whose connection is closed after them', async () => {
    const { send, end, close } = await open();
    for (let each = 0; each <= CONNECTIONS_MAX; each += 1) {
      await expect(send({ headers: { 'x-bad': 'a\nb' } })).rejects.toMatchObject({ code: 'provider_unreachable' });
      const answer = read(send());
      await end({ connection: 'close' });
      expect(await answer).toBe('ok');
    }
    await close();

    const nowhere = createUpstreamTransport({ connectTimeoutMs: 2000, connectionsMax: 1 });
    const call = { method: 'POST', headers: {}, body: '', headersTimeoutMs: 1000, idleTimeoutMs: 1000 } as const;
    for (let each = 0; each < 3; each += 1) {
      const answer = nowhere.send({ ...call, url: 'http://127.0.0.1:9/', signal: createCancellation().signal });
      await expect(answer).rejects.toMatchObject({ code: 'provider_unreachable' });
    }
    await nowhere.close();
  });

  it('end with the calls that wait for one', async () => {
    const { send, close } = await open();
    const calls = [send(), send(), send()].map((each) => expect(each).rejects.toMatchObject({ code: 'provider_unreachable' }));
    await close();
    await Promise.all(calls);
  });

  it.each([
    ['Max open files            1048576              1048576              files', 24_000],
    ['Limit\nMax open files            10256              1048576              files', 5_000],
    ['Max open files            64                   64                   files', 128],
    ['Max open files            unlimited            unlimited            files', 24_000],
    ['nothing of it', 2_048],
  ])('are as many as there are descriptors for: %s', (limits, most) => {
    expect(findConnectionsMax(() => limits)).toBe(most);
  });
});
