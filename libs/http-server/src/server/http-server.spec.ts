import { getEndpoint } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { createLogger, createMetricsRegistry, createRequestMetrics } from '@weir/telemetry';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createHttpApp } from './create-http-app';
import type { HotHandler } from '../requests/hot-routes';
import { createWeirServer, listen, type RunningHttpServer } from './create-http-server';
import { createRequestIdSource } from '../requests/create-request-id';
import { createHealth } from '../service/health';
import { readBody } from '../bodies/read-body';

const lines: string[] = [];
const log = createLogger({ service: 'test', level: 'info', destination: { write: (line: string) => void lines.push(line) } });

async function serve(handle: HotHandler): Promise<RunningHttpServer & { url: string }> {
  const app = createHttpApp({
    mount: (express) =>
      express.get('/boom', () => {
        throw new Error('private detail');
      }),
    onInternalError: () => undefined,
  });
  const server = createWeirServer({
    hotRoutes: new Map([['POST /v1/messages', { endpoint: getEndpoint('messages'), handle }]]),
    fallback: app,
    log,
    metrics: createRequestMetrics(createMetricsRegistry()),
    now: Date.now,
  });
  const running = await listen(server, 0, '127.0.0.1');
  return { ...running, url: `http://127.0.0.1:${running.port}` };
}

/** What comes back for these bytes, until the server closes. */
function sendRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let reported = '';
    connect(port, '127.0.0.1')
      .on('connect', function (this: Socket) {
        this.write(bytes);
      })
      .on('data', (chunk: Buffer) => void (reported += chunk.toString('utf8')))
      .on('close', () => resolve(reported))
      .on('error', reject);
  });
}

describe('the HTTP server', () => {
  it('gives every request an id and one log line, and ignores the query on hot routes', async () => {
    lines.length = 0;
    const harness = await serve(async (request, response, scope) => {
      scope.notes.model = 'm';
      response.end(await readBody(request, 100));
    });

    const reply = await fetch(`${harness.url}/v1/messages?beta=true`, { method: 'POST', body: 'hello' });

    expect(await reply.text()).toBe('hello');
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    await harness.drain(1000);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      path: '/v1/messages',
      status: 200,
      model: 'm',
      requestId: reply.headers.get('x-request-id'),
    });
  });

  it('gives pages behind the hot routes the same headers, and their errors the id', async () => {
    const harness = await serve(() => Promise.resolve());
    const reply = await fetch(`${harness.url}/nothing`);
    const { error } = (await reply.json()) as { error: { request_id: string } };

    expect(reply.headers.get('keep-alive')).toBe('timeout=5');
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(error.request_id).toBe(reply.headers.get('x-request-id'));
    await harness.drain(1000);
  });

  it('takes the whole address for what proxies send it as', async () => {
    const harness = await serve(async (request, response) => {
      response.end(await readBody(request, 100));
    });
    const target = (address: string): Promise<string> =>
      sendRaw(harness.port, `POST ${address} HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 5\r\n\r\nhello`);

    expect(await target(`http://127.0.0.1:${harness.port}/v1/messages?beta=true`)).toMatch(/^HTTP\/1\.1 200 [\s\S]*hello$/);
    expect(await target('https://gateway.example/v1/messages')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await target('http://gateway.example')).toMatch(/^HTTP\/1\.1 404 /);
    expect(await target('*')).toMatch(/^HTTP\/1\.1 404 /);
    await harness.drain(1000);
  });

  it.each([
    ['headers without end', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`, 431, 'too large'],
    ['what is no HTTP', 'NONSENSE\r\n\r\n', 400, 'not valid HTTP'],
  ])('refuses %s in the envelope, with an id', async (_name, bytes, status, words) => {
    const harness = await serve(() => Promise.resolve());
    const [head = '', body = ''] = (await sendRaw(harness.port, bytes)).split('\r\n\r\n');
    await harness.drain(1000);

    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const id = /^x-request-id: (.+)$/m.exec(head)?.[1]?.trim();
    expect(JSON.parse(body)).toMatchObject({
      error: { origin: 'router', message: expect.stringContaining(words) as string, request_id: id },
    });
    expect(Number(/^content-length: (\d+)/m.exec(head)?.[1])).toBe(body.length);
  });

  it('cuts an answer that is under way when the rest of its request cannot be read, instead of writing another into it', async () => {
    const harness = await serve((request, response) => {
      request.once('data', () => response.write('begun'));
      return new Promise((resolve) => response.once('close', resolve));
    });
    const reported = await new Promise<string>((resolve) => {
      let heard = '';
      const socket = connect(harness.port, '127.0.0.1');
      socket.on('data', (chunk: Buffer) => {
        if (heard === '') socket.write('no chunk\r\n');
        heard += chunk.toString('utf8');
      });
      socket.on('error', () => undefined).on('close', () => resolve(heard));
      socket.write('POST /v1/messages HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n');
    });
    await harness.drain(1000);

    expect(reported).toMatch(/^HTTP\/1\.1 200 [\s\S]*begun\r\n$/);
    expect(reported).not.toContain('400 Bad Request');
  });

  it('closes the connection of a refused client that never closes its side', async () => {
    const harness = await serve(() => Promise.resolve());
    const socket = connect({ port: harness.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write('NONSENSE\r\n\r\n');
    socket.resume();
    await new Promise((resolve) => socket.once('end', resolve));
    const open = (): Promise<number> => new Promise((resolve) => harness.server.getConnections((_error, count) => resolve(count)));
    const deadline = Date.now() + 4_000;
    while ((await open()) > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));

    expect(await open()).toBe(0);
    socket.destroy();
    await harness.drain(1000);
  });

  it('sends errors in the dialect of the endpoint and never shows an internal message', async () => {
    const harness = await serve(() => Promise.reject(new GatewayError('rate_limited', 'Slow down.', { retryAfterSeconds: 1.2 })));

    const refused = await fetch(`${harness.url}/v1/messages`, { method: 'POST' });
    const broken = await fetch(`${harness.url}/boom`);
    const unknown = await fetch(`${harness.url}/nowhere`);
    const elsewhere = await fetch(`${harness.url}/v1/messages/nowhere`, { method: 'PUT' });
    const accessList = await fetch(`${harness.url}/v1/manage/access-list`, { method: 'PUT' });
    await harness.drain(1000);

    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(await refused.json()).toMatchObject({ type: 'error', error: { type: 'rate_limit_error', message: 'Slow down.' } });
    expect(broken.status).toBe(500);
    expect(await broken.text()).not.toContain('private detail');
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toMatchObject({ error: { origin: 'router', code: 'not_found' } });
    expect(await elsewhere.json()).toMatchObject({ type: 'error', error: { type: 'not_found_error' } });
    expect([accessList.status, await accessList.json()]).toEqual([
      404,
      { error: { message: 'There is nothing at PUT /v1/manage/access-list.' } },
    ]);
  });

  it('sends an error that a handler reports after it returned', async () => {
    const handle: HotHandler = (_request, _response, _scope, fail) =>
      void setTimeout(() => fail(new GatewayError('rate_limited', 'Slow down.')), 1);
    const harness = await serve(handle);

    const refused = await fetch(`${harness.url}/v1/messages`, { method: 'POST' });
    await harness.drain(1000);

    expect([refused.status, await refused.json()]).toEqual([429, expect.objectContaining({ type: 'error' })]);
  });

  it('refuses a body over the limit, declared or not, with 413', async () => {
    const harness = await serve(async (request) => void (await readBody(request, 10)));

    const declared = await fetch(`${harness.url}/v1/messages`, { method: 'POST', body: 'x'.repeat(11) });
    const chunked = await new Promise<number | undefined>((resolve, reject) => {
      const outgoing = httpRequest(`${harness.url}/v1/messages`, { method: 'POST' }, (response) => resolve(response.statusCode));
      outgoing.on('error', reject);
      outgoing.write('x'.repeat(6));
      outgoing.write('x'.repeat(6));
    });
    await harness.drain(200);

    expect(declared.status).toBe(413);
    expect(chunked).toBe(413);
  });
});

describe('createRequestIdSource', () => {
  it('makes distinct ids that sort by time', () => {
    let now = Date.UTC(2026, 0, 1);
    const next = createRequestIdSource(() => now++);
    const ids = Array.from({ length: 1000 }, next);

    expect(new Set(ids).size).toBe(1000);
    expect([...ids].sort()).toEqual(ids);
    expect(ids.filter((id) => !/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toEqual([]);
    expect(new Set(ids.map((id) => id[19])).size).toBe(4);
  });
});

describe('createHealth', () => {
  it('is ready only while the process has no problem of its own, and never again once draining', async () => {
    let problem: string | null = 'journal is full';
    const health = createHealth({ checks: [() => problem, () => Promise.resolve(null)] });

    expect(await health.readProblems()).toEqual(['journal is full']);
    problem = null;
    expect(await health.readProblems()).toBeNull();
    health.startDraining();
    expect(await health.readProblems()).toEqual(['shutting down']);
  });

  it('is ready from when it had all that it starts with, whatever is away later', async () => {
    const away = new Set(['keys', 'worker']);
    const start = (name: string) => () => (away.has(name) ? Promise.reject(new Error(`${name} not reached`)) : null);
    const health = createHealth({ starts: [start('keys'), start('worker')], dependencies: { keys: start('keys') } });

    expect(await health.readProblems()).toEqual(['keys not reached', 'worker not reached']);
    away.delete('keys');
    expect(await health.readProblems()).toEqual(['worker not reached']);
    away.add('keys');
    away.delete('worker');
    expect(await health.readProblems()).toBeNull();
    away.add('worker');
    expect(await health.readProblems()).toBeNull();
    expect(await health.readDependencies()).toEqual([{ name: 'keys', problem: 'keys not reached' }]);
  });

  it('waits no longer than a second for a dependency, and asks once for all who ask', async () => {
    const ask = jest.fn(() => new Promise<null>(() => undefined));
    const health = createHealth({ dependencies: { postgres: ask } });
    const read = await Promise.all([health.readDependencies(), health.readDependencies()]);
    expect(read[0]).toEqual([{ name: 'postgres', problem: 'no reply within 1000 ms' }]);
    expect(read[1]).toBe(read[0]);
    expect(ask).toHaveBeenCalledTimes(1);
  });
});
