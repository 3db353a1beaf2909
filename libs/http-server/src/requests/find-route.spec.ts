import { getEndpoint } from '@weir/contracts';
import type { HotRoute } from './hot-routes';
import { createRouteFinder } from './find-route';

const route = (id: string): HotRoute => ({ endpoint: getEndpoint(id), handle: () => Promise.resolve() });
const ROUTES = new Map(
  ['chat-completions', 'create-file', 'read-file', 'read-file-content', 'delete-file'].map((id) => {
    const found = route(id);
    return [`${found.endpoint.method} ${found.endpoint.path}`, found];
  }),
);

describe('finding the route of a request', () => {
  const find = createRouteFinder(ROUTES);

  test.each([
    ['POST', '/v1/chat/completions', 'chat-completions', {}],
    ['POST', '/v1/files', 'create-file', {}],
    ['GET', '/v1/files/file-a', 'read-file', { id: 'file-a' }],
    ['DELETE', '/v1/files/file-a', 'delete-file', { id: 'file-a' }],
    ['GET', '/v1/files/file-a/content', 'read-file-content', { id: 'file-a' }],
    ['GET', '/v1/files/a%2Fb', 'read-file', { id: 'a/b' }],
    ['GET', '/v1/files/__proto__', 'read-file', { id: '__proto__' }],
    ['POST', '/v1/chat/completions/', 'chat-completions', {}],
    ['POST', '/v1/files/', 'create-file', {}],
    ['HEAD', '/v1/files/file-a/', 'read-file', { id: 'file-a' }],
  ])('%s %s', (method, path, id, params) => {
    const found = find(method, path);
    expect([found?.route.endpoint.id, { ...found?.params }]).toEqual([id, params]);
  });

  test.each([
    ['GET', '/v1/files/'],
    ['GET', '/v1/files//'],
    ['POST', '/v1/chat/completions//'],
    ['POST', '/'],
    ['GET', '/v1/files//content'],
    ['GET', '/v1/files/%zz'],
    ['GET', '/v1/files/a/b/c'],
    ['PUT', '/v1/files/a'],
    ['GET', '/v1/chat/completions'],
    ['GET', ''],
  ])('%s %s has none', (method, path) => {
    expect(find(method, path)).toBeUndefined();
  });
});
