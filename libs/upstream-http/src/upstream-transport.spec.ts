import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCancellation } from './create-cancellation';
import { createUpstreamTransport } from './create-upstream-transport';
import { readLimited } from './read-limited';
import type { UpstreamBody } from './response-body';
import type { UpstreamCall, UpstreamResponse } from './upstream-transport';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const transport = createUpstreamTransport({ connectTimeoutMs: 2000, connectionsMax: 8 });
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
afterAll(() => transport.close());

async function ask(handler: Handler, more: Partial<UpstreamCall> = {}, by = transport) {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(
    () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  );
  const cancellation = createCancellation();
  const answered = by.send({
    method: 'POST',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/path?x=1`,
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
    signal: cancellation.signal,
    headersTimeoutMs: 5000,
    idleTimeoutMs: 5000,
    ...more,
  });
  return { cancellation, answered };
}

function record({ body }: UpstreamResponse): { reported: string[]; closed: Promise<void> } {
  const reported: string[] = [];
  body.on('data', (chunk) => reported.push(`data ${chunk.toString()}`));
  body.on('end', () => reported.push('end'));
  body.on('error', (error) => reported.push(`error ${error instanceof Error ? error.name : String(error)}`));
  return { reported, closed: new Promise((done) => body.on('close', () => (reported.push('close'), done()))) };
}

const nextData = (body: UpstreamBody) => new Promise<string>((resolve) => body.on('data', (chunk) => resolve(chunk.toString())));

describe('the upstream transport', () => {
  it('sends method, path, headers and body, and reads status, headers and body back', async () => {
    const { answered } = await ask((request, response) => {
      request.on('data', (sent: Buffer) => {
        response.writeHead(201, { 'x-sent': `${request.method} ${request.url} ${request.headers['content-type']}` }).end(sent);
      });
    });

    const answer = await answered;

    expect([answer.status, answer.headers['x-sent']]).toEqual([201, 'POST /path?x=1 application/json']);
    expect((await readLimited(answer.body, 100)).toString()).toBe('{"a":1}');
  });

  it('closes an idle connection when its own time is over, however long the upstream would keep it', async () => {
    const closed: string[] = [];
    for (const own of [{}, { connectionIdleMs: 100 }]) {
      const brief = createUpstreamTransport({ connectTimeoutMs: 2000, connectionsMax: 1, ...own });
      let isClosed = false;
      const { answered } = await ask(
        (request, response) => {
          request.socket.once('close', () => (isClosed = true));
          response.writeHead(200, { 'keep-alive': 'timeout=75' }).end('{}');
        },
        {},
        brief,
      );
      await readLimited((await answered).body, 100);
      for (let waited = 0; waited < 10 && !isClosed; waited += 1) await new Promise((done) => setTimeout(done, 100));
      closed.push(isClosed ? 'closed' : 'open');
      await brief.close();
    }
    expect(closed).toEqual(['open', 'closed']);
  });

  it('sends pieces that are there already as one body of a known length, larger than a connection takes at once', async () => {
    const pieces = [Buffer.from('{"model":"b",'), Buffer.alloc(12_000_000, ' '), Buffer.from('}')];
    const { answered } = await ask(
      (request, response) => {
        let length = 0;
        setTimeout(() => request.on('data', (sent: Buffer) => (length += sent.length)), 50);
        request.on('end', () => response.end(`${request.headers['content-length']} ${length} ${request.headers['transfer-encoding']}`));
      },
      { body: pieces, headers: { 'content-length': '12000014' } },
    );

    expect((await readLimited((await answered).body, 100)).toString()).toBe('12000014 12000014 undefined');
  });

  it('sends a body in pieces and reads what comes behind the answer', async () => {
    async function* pieces(): AsyncIterable<Uint8Array> {
      yield Buffer.from('one ');
      yield await Promise.resolve(Buffer.from('two'));
    }
    const { answered } = await ask(
      (request, response) => {
        response.writeHead(200, { trailer: 'x-sum' });
        request.pipe(response, { end: false }).once('unpipe', () => {
          response.addTrailers({ 'x-sum': String(request.headers['content-length']) });
          response.end();
        });
      },
      { body: pieces(), headers: { 'content-length': '7' } },
    );

    const answer = await answered;

    expect((await readLimited(answer.body, 100)).toString()).toBe('one two');
    expect(answer.body.trailers).toEqual({ 'x-sum': '7' });
  });

  it('keeps a body that no one reads yet, and emits end and close once', async () => {
    const { answered } = await ask((_request, response) => response.end('whole'));
    const answer = await answered;
    await new Promise((done) => setTimeout(done, 20));

    const { reported, closed } = record(answer);
    await closed;

    expect(reported).toEqual(['data whole', 'end', 'close']);
  });

  it('holds the sender back while its reader pauses', async () => {
    const piece = Buffer.alloc(64 * 1024, 'x');
    let isHeldBack = false;
    const { answered } = await ask((_request, response) => {
      const send = (): void => {
        while (response.write(piece));
        isHeldBack = true;
      };
      send();
      response.on('drain', () => void setImmediate(send));
    });
    const { body } = await answered;
    let received = 0;
    body.on('data', (chunk) => {
      received += chunk.length;
      body.pause();
    });
    await new Promise((done) => setTimeout(done, 60));
    const atPause = received;
    await new Promise((done) => setTimeout(done, 60));

    expect(received).toBe(atPause);
    expect(isHeldBack).toBe(true);
    body.resume();
    while (received === atPause) await new Promise((done) => setImmediate(done));
    body.destroy();
  });

  it('emits what came before a cut, then the cut', async () => {
    const { answered } = await ask((_request, response) => {
      response.write('before', () => setImmediate(() => response.destroy()));
    });

    const { reported, closed } = record(await answered);
    await closed;

    expect(reported).toEqual(['data before', 'error SocketError', 'close']);
  });

  it('fails a body that goes silent, and an answer that never comes', async () => {
    const silent = await ask((_request, response) => response.write('some'), { idleTimeoutMs: 100 });
    await expect(readLimited((await silent.answered).body, 100)).rejects.toMatchObject({ code: 'provider_timeout' });

    const mute = await ask(() => undefined, { headersTimeoutMs: 100 });
    await expect(mute.answered).rejects.toMatchObject({ code: 'provider_timeout' });
  });

  it('rejects with the reason when it is cancelled before the answer, and lets go of the connection', async () => {
    const gone = new Error('gone');
    let onClose: () => void;
    const closed = new Promise<void>((done) => (onClose = done));
    const { cancellation, answered } = await ask((request) => {
      request.on('close', () => onClose());
      cancellation.abort(gone);
    });

    await expect(answered).rejects.toBe(gone);
    await closed;
  });

  it('fails the body with the reason when it is cancelled in mid-body', async () => {
    const { cancellation, answered } = await ask((_request, response) => response.write('first'));
    const answer = await answered;
    const { reported, closed } = record(answer);
    await nextData(answer.body);

    cancellation.abort(Object.assign(new Error('late'), { name: 'Deadline' }));
    await closed;

    expect(reported).toEqual(['data first', 'error Deadline', 'close']);
  });

  it('cancels the request upstream when its body is destroyed, without an error', async () => {
    let onClose: () => void;
    const cut = new Promise<void>((done) => (onClose = done));
    const { answered } = await ask((_request, response) => {
      response.on('close', () => onClose());
      response.write('first');
    });
    const answer = await answered;
    const { reported, closed } = record(answer);
    await nextData(answer.body);

    answer.body.destroy();
    await Promise.all([closed, cut]);

    expect(reported).toEqual(['data first', 'close']);
  });

  it('refuses a call whose signal is aborted already, and says when nothing listens', async () => {
    const call = { method: 'POST' as const, headers: {}, body: '', headersTimeoutMs: 1000, idleTimeoutMs: 1000 };
    const cancellation = createCancellation();
    await expect(transport.send({ ...call, url: 'http://127.0.0.1:9', signal: cancellation.signal })).rejects.toMatchObject({
      code: 'provider_unreachable',
    });
    cancellation.abort(new Error('over'));
    await expect(transport.send({ ...call, url: 'http://127.0.0.1:9', signal: cancellation.signal })).rejects.toThrow('over');
  });
});
