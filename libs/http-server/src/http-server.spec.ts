import { getEndpoint } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { createLogger, createMetricsRegistry, createRequestMetrics } from '@weir/telemetry';
import { request as httpRequest } from 'node:http';
import { hasBoundedDepth } from './check-json-depth';
import { createHttpApp } from './create-http-app';
import { createWeirServer, listen, type HotHandler, type RunningHttpServer } from './create-http-server';
import { createRequestIdSource } from './create-request-id';
import { createHealth } from './health';
import { readBody } from './read-body';

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

describe('the HTTP server', () => {
  it('gives every request an id and one log line, and ignores the query on hot routes', async () => {
    lines.length = 0;
    const house = await serve(async (request, response, scope) => {
      scope.notes['model'] = 'm';
      response.end(await readBody(request, 100));
    });

    const reply = await fetch(`${house.url}/v1/messages?beta=true`, { method: 'POST', body: 'hello' });

    expect(await reply.text()).toBe('hello');
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    await house.drain(1000);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      path: '/v1/messages',
      status: 200,
      model: 'm',
      requestId: reply.headers.get('x-request-id'),
    });
  });

  it('answers errors in the dialect of the endpoint and never shows an internal message', async () => {
    const house = await serve(() => Promise.reject(new GatewayError('rate_limited', 'Slow down.', { retryAfterSeconds: 1.2 })));

    const refused = await fetch(`${house.url}/v1/messages`, { method: 'POST' });
    const broken = await fetch(`${house.url}/boom`);
    const unknown = await fetch(`${house.url}/nowhere`);
    const elsewhere = await fetch(`${house.url}/v1/messages/nowhere`, { method: 'PUT' });
    const accessList = await fetch(`${house.url}/v1/manage/access-list`, { method: 'PUT' });
    await house.drain(1000);

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

  it('refuses a body over the limit, declared or not, with 413', async () => {
    const house = await serve(async (request) => void (await readBody(request, 10)));

    const declared = await fetch(`${house.url}/v1/messages`, { method: 'POST', body: 'x'.repeat(11) });
    const chunked = await new Promise<number | undefined>((resolve, reject) => {
      const outgoing = httpRequest(`${house.url}/v1/messages`, { method: 'POST' }, (response) => resolve(response.statusCode));
      outgoing.on('error', reject);
      outgoing.write('x'.repeat(6));
      outgoing.write('x'.repeat(6));
    });
    await house.drain(200);

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
  });
});

describe('hasBoundedDepth', () => {
  it.each([
    ['[[[]]]', 3, true],
    ['[[[[]]]]', 3, false],
    ['{"a":"[[[[\\"[[[["}', 1, true],
    ['{"a":{"b":[1]}}', 2, false],
    ['"unterminated', 1, true],
  ])('%s within %i: %s', (text, depth, expected) => {
    expect(hasBoundedDepth(text, depth)).toBe(expected);
  });

  it('answers for 5 MB of brackets without recursion', () => {
    expect(hasBoundedDepth('['.repeat(5_000_000), 64)).toBe(false);
  });
});

describe('createHealth', () => {
  it('is ready only when every part is, and never again once draining', async () => {
    let problem: string | null = 'database not reached';
    const health = createHealth([() => problem, () => Promise.resolve(null)]);

    expect(await health.readProblems()).toEqual(['database not reached']);
    problem = null;
    expect(await health.readProblems()).toBeNull();
    health.startDraining();
    expect(await health.readProblems()).toEqual(['shutting down']);
  });
});
