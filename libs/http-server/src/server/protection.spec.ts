import { getEndpoint } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { createMetricsRegistry, createServerMetrics } from '@weir/telemetry';
import type { IncomingMessage } from 'node:http';
import type { HotHandler } from '../requests/hot-routes';
import type { KnownCaller, RequestPriority } from '../requests/request-priority';
import { readBody } from '../bodies/read-body';
import { readMetric, sendRaw, serveGuarded, type GuardedHarness } from './__fixtures__/guarded-harness';
import { createLoadShedder } from '../load/load-shedder';
import { SLOW_CLIENT_LIMITS } from '../connections/slow-client-watch';

const QUICK = { ...SLOW_CLIENT_LIMITS, headMs: 300, bodyMs: 500, uploadMs: 5000, readerStallMs: 300, checkEveryMs: 50 };
/** H5 in full: `LOAD_FULL=1`. */
const SLOW_SOCKETS = process.env['LOAD_FULL'] === '1' ? 5000 : 300;
const POST = 'POST /v1/messages HTTP/1.1\r\nhost: x\r\n';

let harness: GuardedHarness | undefined;
afterEach(async () => {
  await harness?.drain(0);
  harness = undefined;
});

describe('H5: slow clients', () => {
  it('closes sockets that never finish their head while others are served as ever', async () => {
    harness = await serveGuarded(async (request, response) => void response.end(await readBody(request, 100)), { slowClients: QUICK });
    const slow = Array.from({ length: SLOW_SOCKETS }, (_, index) => sendRaw(harness!.port, index % 2 === 0 ? 'POST /v1' : ''));
    const replies = await Promise.all([1, 2, 3].map(() => fetch(`${harness!.url}/v1/messages`, { method: 'POST', body: 'quick' })));

    await Promise.all(slow.map(({ closed }) => closed));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('sends 408 for a body that does not come, closes, and fails the reader of the body', async () => {
    let handled: Promise<unknown> | undefined;
    harness = await serveGuarded((request) => (handled = readBody(request, 100)) as Promise<never>, { slowClients: QUICK });
    const client = sendRaw(harness.port, `${POST}content-length: 50\r\n\r\nhalf`);

    await client.closed;
    expect(client.text()).toMatch(/^HTTP\/1\.1 408 /);
    expect(client.text()).not.toMatch(/keep-alive/i);
    await expect(handled).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await readMetric(harness.registry, 'weir_slow_clients_cut_total')).toEqual([{ labels: { reason: 'body' }, value: 1 }]);
  });

  it('D1: cuts a reader who takes nothing, having kept no more for it than its socket holds', async () => {
    let most = 0;
    harness = await serveGuarded(
      (_request, response) =>
        new Promise((resolve) => {
          const write = (): void => {
            while (!response.destroyed && response.write(Buffer.alloc(64 * 1024))) most = Math.max(most, response.writableLength);
            most = Math.max(most, response.writableLength);
          };
          response.on('drain', write);
          response.once('close', resolve);
          write();
        }),
      { slowClients: QUICK },
    );
    const client = sendRaw(harness.port, `${POST}content-length: 0\r\n\r\n`);
    client.socket.pause();
    const ended = new Promise<void>((resolve) => harness!.server.on('request', (_request, response) => response.once('close', resolve)));

    await ended;
    client.socket.destroy();
    expect(most).toBeLessThanOrEqual(256 * 1024);
    expect(await readMetric(harness.registry, 'weir_slow_clients_cut_total')).toEqual([{ labels: { reason: 'reader' }, value: 1 }]);
  });
});

describe('H6: requests that two parsers could read differently', () => {
  it.each([
    ['a length and chunks', `${POST}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['two lengths', `${POST}content-length: 5\r\ncontent-length: 6\r\n\r\nhello`],
    ['a line folded', `${POST}x-title: a\r\n b\r\ncontent-length: 0\r\n\r\n`],
    ['a bare line feed in a header', `${POST}x-title: a\nx-evil: b\r\ncontent-length: 0\r\n\r\n`],
    ['a bare carriage return in a header', `${POST}x-title: a\rcontent-length: 5\r\ncontent-length: 0\r\n\r\n`],
    ['line feeds alone', 'POST /v1/messages HTTP/1.1\nhost: x\ncontent-length: 1\n\na'],
    ['a space before the colon', `${POST}transfer-encoding : chunked\r\n\r\n0\r\n\r\n`],
    ['a coding that is not chunks', `${POST}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['two codings', `${POST}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['a coding after chunks', `${POST}transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n\r\n0\r\n\r\n`],
    ['chunks in HTTP/1.0', 'POST /v1/messages HTTP/1.0\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['one length twice', `${POST}content-length: 5\r\ncontent-length: 5\r\n\r\nhello`],
    ['a length with a sign', `${POST}content-length: +5\r\n\r\nhello`],
    ['a chunk of 0x1', `${POST}transfer-encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n`],
    ['a line feed in a chunk’s extension', `${POST}transfer-encoding: chunked\r\n\r\n1;a\nb\r\na\r\n0\r\n\r\n`],
    ['two hosts', `${POST}host: y\r\ncontent-length: 0\r\n\r\n`],
    ['no host', 'POST /v1/messages HTTP/1.1\r\ncontent-length: 0\r\n\r\n'],
  ])('%s: 400, and nothing is served', async (_, bytes) => {
    const served = jest.fn();
    harness = await serveGuarded(async (request, response) => {
      await readBody(request, 100);
      served();
      response.end();
    });
    const client = sendRaw(harness.port, bytes);

    await client.closed;
    expect(client.text()).toMatch(/^HTTP\/1\.1 400 /);
    expect(client.text()).not.toMatch(/keep-alive/i);
    expect(served).not.toHaveBeenCalled();
  });

  it('serves pipelined requests in their order, and takes no body for a request', async () => {
    const bodies: string[] = [];
    harness = await serveGuarded(async (request, response) => {
      const body = (await readBody(request, 100)).toString();
      bodies.push(body);
      // The first takes longest.
      await new Promise((resolve) => setTimeout(resolve, body === 'first' ? 50 : 0));
      response.end(`<${body}>`);
    });
    const inside = 'GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n';
    const client = sendRaw(
      harness.port,
      [
        `${POST}content-length: 5\r\n\r\nfirst`,
        `${POST}content-length: ${inside.length}\r\n\r\n${inside}`,
        `${POST}transfer-encoding: chunked\r\n\r\n4\r\nlast\r\n0\r\nx-weir-passport: forged\r\n\r\n`,
      ].join(''),
    );

    await client.waitFor('<last>');
    client.socket.destroy();
    expect(bodies).toEqual(['first', inside, 'last']);
    expect(client.text().match(/<[^]*?>/g)).toEqual(['<first>', `<${inside}>`, '<last>']);
    expect(client.text()).not.toContain('fallback');
  });
});

describe('connection caps', () => {
  const hello = `${POST}content-length: 0\r\n\r\n`;

  it('serves one address over so many connections, and again when one of them is gone', async () => {
    harness = await serveGuarded((_request, response) => Promise.resolve(void response.end('hi')), {
      connections: { max: 100, perAddressMax: 3, proxyNetworks: ['10.0.0.0/8'] },
    });
    const { port } = harness;
    const kept = [1, 2, 3].map(() => sendRaw(port, hello));
    await Promise.all(kept.map((client) => client.waitFor('hi')));

    const fourth = sendRaw(port, hello);
    await fourth.closed;
    expect(fourth.text()).toBe('');
    kept[0]?.socket.destroy();
    await kept[0]?.closed;
    const fifth = sendRaw(port, hello);
    await fifth.waitFor('hi');

    for (const { socket } of [...kept, fifth]) socket.destroy();
    expect(await readMetric(harness.registry, 'weir_connections_refused_total')).toEqual([{ labels: { reason: 'address' }, value: 1 }]);
  });

  it('counts no proxy by its address, but all connections', async () => {
    harness = await serveGuarded((_request, response) => Promise.resolve(void response.end('hi')), {
      connections: { max: 3, perAddressMax: 1, proxyNetworks: ['127.0.0.0/8'] },
    });
    const { port } = harness;
    const kept = [1, 2, 3].map(() => sendRaw(port, hello));
    await Promise.all(kept.map((client) => client.waitFor('hi')));
    const fourth = sendRaw(port, hello);
    await fourth.closed;

    for (const { socket } of kept) socket.destroy();
    expect(await readMetric(harness.registry, 'weir_connections_refused_total')).toEqual([{ labels: { reason: 'all' }, value: 1 }]);
  });
});

describe('D3: a server with too much to do', () => {
  it('refuses at once, in the dialect of the endpoint, and never refuses health checks', async () => {
    const load = createLoadShedder({
      inFlightMax: 1,
      metrics: createServerMetrics(createMetricsRegistry()),
      reader: {
        begin: () => undefined,
        read: () => ({ elapsedMs: 250, tickMs: 0, utilization: 0, heapUsed: 0 }),
        readTickMs: () => 0,
      },
    });
    const release: (() => void)[] = [];
    harness = await serveGuarded(
      (_request, response) =>
        new Promise((resolve) => {
          release.push(() => response.end('late', resolve));
        }),
      { load },
    );
    const { url } = harness;
    const running = fetch(`${url}/v1/messages`, { method: 'POST' });
    while (release.length === 0) await new Promise(setImmediate);

    const startedAt = performance.now();
    const refused = await fetch(`${url}/v1/messages`, { method: 'POST' });
    const tookMs = performance.now() - startedAt;
    const list = await fetch(`${url}/v1/models`);
    const asked = await Promise.all(['/healthz', '/readyz', '/v1/auth/check'].map((path) => fetch(url + path)));
    release[0]?.();

    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^[1-4]$/);
    expect(await refused.json()).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } });
    expect(tookMs).toBeLessThan(1_000);
    expect(list.status).toBe(503);
    expect(await list.json()).toMatchObject({ error: { code: 'overloaded', origin: 'router' } });
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await (await running).text()).toBe('late');
    load.close();
  });

  it('looks up whose a request is only while that decides whether it is refused, and passes the priority on', async () => {
    let isRefusing = false;
    const refusal = new GatewayError('overloaded', 'Later.', { retryAfterSeconds: 2 });
    const findRefusal = (priority: RequestPriority) => (isRefusing && priority === 'unpaid' ? refusal : undefined);
    const idle = () => undefined;
    const entered = jest.fn();
    const load = { isRefusing: () => isRefusing, findRefusal, check: idle, isCrowded: () => false, entered, left: idle, close: idle };
    const findCaller = jest.fn(({ headers: { authorization } }: IncomingMessage): KnownCaller => ({
      priority: authorization === 'paid' ? 'paid' : 'unpaid',
      id: authorization,
    }));
    const handle: HotHandler = (_request, response, { priority }) => Promise.resolve(void response.end(priority ?? 'not asked'));
    const hotRoutes = new Map([['POST /v1/messages', { endpoint: getEndpoint('messages'), handle, findCaller }]]);
    harness = await serveGuarded(handle, { load, hotRoutes });
    const { url } = harness;
    const ask = (authorization: string) => fetch(`${url}/v1/messages`, { method: 'POST', headers: { authorization }, body: '{}' });

    expect(await (await ask('unpaid')).text()).toBe('paid');
    expect(findCaller).not.toHaveBeenCalled();
    isRefusing = true;
    expect(await (await ask('paid')).text()).toBe('paid');
    expect(entered).toHaveBeenLastCalledWith('paid');
    const refused = await ask('unpaid');
    const said = ['retry-after', 'connection', 'keep-alive'].map((name) => refused.headers.get(name));
    expect([refused.status, ...said]).toEqual([503, '2', 'keep-alive', 'timeout=5']);
    expect(await refused.json()).toMatchObject({ request_id: refused.headers.get('x-request-id') });
    expect(await readMetric(harness.registry, 'weir_errors_total')).toEqual([
      { labels: { endpoint: 'messages', code: 'overloaded' }, value: 1 },
    ]);
  });
});
