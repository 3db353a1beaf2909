import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { createHttpApp } from '../server/create-http-app';
import { mountApiPages } from './mount-api-pages';

describe('the pages of the interface', () => {
  let server: Server;
  let url: string;
  const describeInterface = jest.fn(() => ({ openapi: '3.1.0' }));

  beforeAll(async () => {
    const app = createHttpApp({
      mount: (express) => mountApiPages(express, describeInterface, { '/schemas/thing.json': () => ({ type: 'object' }) }),
      onInternalError: () => undefined,
    });
    server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('give the document, which is made once, and its tag', async () => {
    const first = await fetch(`${url}/openapi.json`);
    const etag = first.headers.get('etag') ?? '';
    const again = await fetch(`${url}/openapi.json`, { headers: { 'if-none-match': etag } });

    expect(await first.json()).toEqual({ openapi: '3.1.0' });
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(describeInterface).toHaveBeenCalledTimes(1);
  });

  it('give schemas to editors', async () => {
    const schema = await fetch(`${url}/schemas/thing.json`);
    expect([await schema.json(), schema.headers.get('content-type')]).toEqual([
      { type: 'object' },
      'application/schema+json; charset=utf-8',
    ]);
    expect(schema.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('render it with nothing inline and nothing from elsewhere', async () => {
    const page = await fetch(`${url}/docs`);
    const html = await page.text();
    const policy = page.headers.get('content-security-policy') ?? '';

    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
    expect(html).not.toMatch(/<style|style=|<script>|\son\w+=|https?:/);
    const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
    expect(named).toHaveLength(6);
    for (const path of named) {
      const answer = await fetch(url + path);
      expect([path, answer.status, (await answer.arrayBuffer()).byteLength > 10]).toEqual([path, 200, true]);
    }
  });

  it('give nothing else of the viewer’s package', async () => {
    for (const path of ['/docs/index.html', '/docs/package.json', '/docs/..%2fpackage.json', '/docs/oauth2-redirect.html']) {
      expect([path, (await fetch(url + path)).status]).toEqual([path, 404]);
    }
  });
});
