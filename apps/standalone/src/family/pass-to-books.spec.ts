import { createHttpApp } from '@weir/http-server';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CALLER_ADDRESS_HEADER, createPassToBooks, INNER_SECRET_HEADER } from './pass-to-books';

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));

describe('passing requests to the books', () => {
  let books: Server;
  let gateway: Server;
  let booksPort: number | undefined;
  let url: string;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const seen: IncomingMessage[] = [];

  beforeEach(async () => {
    seen.length = 0;
    books = createServer((request, response) => {
      seen.push(request);
      answer(request, response);
    });
    booksPort = await listen(books);
    const pass = createPassToBooks({ port: () => booksPort, innerSecret: 'inner', patienceMs: 2_000 });
    const app = createHttpApp({ mount: (express) => void express.all('/*path', pass), onInternalError: () => undefined });
    gateway = createServer((request, response) => {
      response.setHeader('x-request-id', 'id');
      app(request, response);
    });
    url = `http://127.0.0.1:${await listen(gateway)}`;
  });
  afterEach(() => {
    for (const server of [books, gateway]) {
      server.close();
      server.closeAllConnections();
    }
  });

  it('carries bodies both ways, says where the request comes from, and believes no caller who says so', async () => {
    answer = (request, response) => {
      response.writeHead(201, { 'x-own': 'a', 'x-weir-not-begun': 'true' });
      request.pipe(response);
    };
    const headers = { [CALLER_ADDRESS_HEADER]: '6.6.6.6', [INNER_SECRET_HEADER]: 'guessed', 'content-type': 'text/plain' };
    const reply = await fetch(`${url}/v1/a?b=c`, { method: 'DELETE', body: 'x'.repeat(200_000), headers });
    expect([reply.status, reply.headers.get('x-own'), reply.headers.get('x-weir-not-begun')]).toEqual([201, 'a', null]);
    expect(await reply.text()).toHaveLength(200_000);
    expect([seen[0]!.method, seen[0]!.url]).toEqual(['DELETE', '/v1/a?b=c']);
    expect(seen[0]!.headers).toMatchObject({
      [INNER_SECRET_HEADER]: 'inner',
      [CALLER_ADDRESS_HEADER]: expect.stringContaining('127.0.0.1'),
    });
  });

  it('waits while there is no one to pass to', async () => {
    answer = (_request, response) => void response.end('served');
    const port = booksPort;
    booksPort = undefined;
    const asked = fetch(`${url}/v1/a`, { method: 'POST', body: 'once' });
    await new Promise((resolve) => setTimeout(resolve, 120));
    booksPort = port;
    expect(await (await asked).text()).toBe('served');
    expect(seen).toHaveLength(1);
  });

  it('asks again when a connection breaks, but for what may have changed something', async () => {
    answer = (request, response) => void (seen.length === 1 ? request.socket.destroy() : response.end('served'));
    expect(await (await fetch(`${url}/v1/a`)).text()).toBe('served');
    expect(seen).toHaveLength(2);

    seen.length = 0;
    const posted = await fetch(`${url}/v1/a`, { method: 'POST', body: 'once' });
    expect([posted.status, posted.headers.get('retry-after'), seen.length]).toEqual([503, '2', 1]);
  });
});
