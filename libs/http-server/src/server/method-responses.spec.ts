import { getEndpoint } from '@weir/contracts';
import { createLogger, createMetricsRegistry, createRequestMetrics } from '@weir/telemetry';
import { Router } from 'express';
import { createHttpApp } from './create-http-app';
import type { HotRoute } from '../requests/hot-routes';
import { createWeirServer, listen } from './create-http-server';

const hot = (id: string): [string, HotRoute] => {
  const endpoint = getEndpoint(id);
  const handle: HotRoute['handle'] = (_request, response) => Promise.resolve(void response.end('hot'));
  return [`${endpoint.method} ${endpoint.path}`, { endpoint, handle }];
};
const hotRoutes = new Map([hot('messages'), hot('create-file'), hot('list-files'), hot('read-file')]);

const nested = Router({ caseSensitive: true });
nested.get('/v1/things', (_request, response) => void response.end('things'));
nested.post('/v1/things', (_request, response) => void response.end('made'));
nested.get('/v1/things/self', (_request, response) => void response.end('self'));
nested.delete('/v1/things/:id', (_request, response) => void response.status(204).end());

let url: string;
let close: () => Promise<void>;

beforeAll(async () => {
  const fallback = createHttpApp({
    mount: (app) => {
      app.use(nested);
      app.get('/page', (_request, response) => void response.end('page'));
    },
    hotRoutes,
    onInternalError: () => undefined,
  });
  const log = createLogger({ service: 'test', level: 'silent' });
  const metrics = createRequestMetrics(createMetricsRegistry());
  const running = await listen(createWeirServer({ hotRoutes, fallback, log, metrics, now: Date.now }), 0, '127.0.0.1');
  url = `http://127.0.0.1:${running.port}`;
  close = () => running.drain(500);
});
afterAll(() => close());

const ask = async (method: string, path: string) => {
  const reply = await fetch(url + path, { method });
  const text = await reply.text();
  return { status: reply.status, allow: reply.headers.get('allow'), headers: reply.headers, text };
};

describe('methods that a path does not take', () => {
  test.each([
    ['PUT', '/v1/things', 'GET, HEAD, POST'],
    ['POST', '/v1/things/self', 'GET, HEAD, DELETE'],
    ['PATCH', '/v1/things/7', 'DELETE'],
    ['DELETE', '/page', 'GET, HEAD'],
    ['GET', '/v1/messages', 'POST'],
    ['PUT', '/v1/files', 'GET, HEAD, POST'],
    ['PUT', '/v1/files/file-a', 'GET, HEAD'],
  ])('%s %s is 405 and names those it takes', async (method, path, allow) => {
    const { status, allow: reported, text } = await ask(method, path);

    expect([status, reported]).toEqual([405, allow]);
    const error = (JSON.parse(text) as { error: { message: string } }).error;
    expect(error.message).toBe(`${path} takes ${allow}, not ${method}.`);
  });

  test.each([
    ['GET', '/nowhere'],
    ['PUT', '/V1/things'],
    ['PUT', '/v1/things/7/8'],
    ['OPTIONS', '/nowhere'],
  ])('%s %s is 404: there is no such path', async (method, path) => {
    expect(await ask(method, path)).toMatchObject({ status: 404, allow: null });
  });
});

describe('OPTIONS', () => {
  test.each([
    ['/v1/things', 'GET, HEAD, POST'],
    ['/v1/messages', 'POST'],
    ['/page', 'GET, HEAD'],
  ])('%s lists the methods and allows no other origin', async (path, allow) => {
    const asked = { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' };
    const reply = await fetch(url + path, { method: 'OPTIONS', headers: asked });

    expect([reply.status, reply.headers.get('allow'), await reply.text()]).toEqual([204, allow, '']);
    expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});

it.each(['/v1/things', '/page', '/v1/files', '/v1/files/file-a'])('HEAD %s is GET without the body', async (path) => {
  expect(await ask('HEAD', path)).toMatchObject({ status: 200, text: '' });
});
