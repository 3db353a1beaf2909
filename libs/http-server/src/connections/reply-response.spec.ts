import { once } from 'node:events';
import { createServer, ServerResponse, type RequestListener } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { addHeader, ReplyResponse } from './reply-response';

type Act = (response: ServerResponse) => unknown;

/** The bytes that come back, without the time of day, and what `act` returned. */
async function respond(kind: typeof ServerResponse, act: Act): Promise<unknown[]> {
  let returned: unknown;
  const listener: RequestListener = (_request, response) => (returned = act(response));
  const server = createServer({ ServerResponse: kind }, listener as RequestListener<never>).listen(0, '127.0.0.1');
  await once(server, 'listening');
  let bytes = '';
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('data', (chunk) => (bytes += chunk.toString()));
  socket.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
  await once(socket, 'close');
  server.close();
  return [bytes.replace(/date: [^\r]*/i, ''), returned];
}

const add = (response: ServerResponse): void => {
  addHeader(response, 'x-request-id', 'one');
  addHeader(response, 'x-weir-attempts', '1');
};

const WAYS: readonly (readonly [string, Act])[] = [
  ['only added', (r) => (add(r), r.end('body'))],
  ['none at all', (r) => r.end('body')],
  ['added twice', (r) => (add(r), addHeader(r, 'x-request-id', 'two'), r.end('body'))],
  ['with a length', (r) => (add(r), addHeader(r, 'content-length', '4'), r.end('body'))],
  ['in pieces', (r) => (add(r), r.flushHeaders(), r.write('bo'), r.end('dy'))],
  ['of another status', (r) => ((r.statusCode = 404), add(r), r.end())],
  ['set as well', (r) => (add(r), r.setHeader('X-Other', ['a', 'b']), addHeader(r, 'x-last', 'z'), r.end())],
  ['appended to', (r) => (add(r), r.appendHeader('x-request-id', 'more'), r.end())],
  ['removed', (r) => (add(r), r.removeHeader('X-Request-Id'), r.end())],
  ['in writeHead as well', (r) => (add(r), r.writeHead(400, { 'x-request-id': 'other', 'x-late': '1' }).end())],
  ['with a reason', (r) => (add(r), r.writeHead(400, 'Because').end())],
  [
    'read',
    (r) => (add(r), r.end(JSON.stringify([r.getHeader('X-Request-Id'), r.hasHeader('x-none'), r.getHeaders(), r.getHeaderNames()]))),
  ],
  ['read after they were sent', (r) => (add(r), r.end(), [r.getHeader('x-request-id'), { ...r.getHeaders() }])],
  ['of no plain text', (r) => (add(r), addHeader(r, 'x-name', 'grün'), r.end())],
  [
    'that may not be',
    (r) => {
      add(r);
      try {
        addHeader(r, 'x-name', 'a\nb');
      } catch (error) {
        r.end((error as NodeJS.ErrnoException).code);
      }
    },
  ],
  [
    'after the head',
    (r) => {
      add(r);
      r.flushHeaders();
      try {
        addHeader(r, 'x-late', '1');
      } catch (error) {
        r.end((error as NodeJS.ErrnoException).code);
      }
    },
  ],
];

describe('headers of a response', () => {
  it.each(WAYS)('%s are what they are in node’s own', async (_name, act) => {
    const quiet: Act = (response) => {
      const returned = act(response);
      return Array.isArray(returned) ? returned : undefined;
    };
    expect(await respond(ReplyResponse, quiet)).toEqual(await respond(ServerResponse, quiet));
  });
});
