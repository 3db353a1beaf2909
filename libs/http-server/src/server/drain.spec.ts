import { createLogger, createMetricsRegistry } from '@weir/telemetry';
import { getEndpoint } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { Agent, request as openRequest, type IncomingMessage } from 'node:http';
import { sendRaw } from './__fixtures__/guarded-harness';
import { runService, type RunningService } from '../service/run-service';
import type { HotHandler } from '../requests/hot-routes';

async function run(
  handle: HotHandler,
  drainDelayMs: number,
  more: { readonly onStop?: () => Promise<void>; readonly lingerMs?: number } = {},
): Promise<RunningService> {
  return runService({
    port: 0,
    host: '127.0.0.1',
    metricsPort: { asked: 0, usual: 0 },
    log: createLogger({ service: 'test', level: 'silent' }),
    registry: createMetricsRegistry(),
    hotRoutes: new Map([['POST /v1/messages', { endpoint: getEndpoint('messages'), handle }]]),
    health: {},
    limits: { drainDelayMs, connections: { max: 100, perAddressMax: null, proxyNetworks: [] }, ...more },
    onStop: more.onStop ?? (() => Promise.resolve()),
  });
}

type Answer = { status: number | undefined; connection: string | undefined; text: string };

function ask(port: number, agent: Agent, path = '/v1/messages'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = openRequest({ port, host: '127.0.0.1', path, method: path === '/v1/messages' ? 'POST' : 'GET', agent });
    call.on('response', (response: IncomingMessage) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('end', () => resolve({ status: response.statusCode, connection: response.headers.connection, text }));
    });
    call.on('error', reject);
    call.end();
  });
}

describe('D4: a stop in order', () => {
  it('says it is not ready, serves on, asks connections to end, refuses new ones, and waits for streams before it closes its parts', async () => {
    const agent = new Agent({ keepAlive: true });
    const order: string[] = [];
    let endStream = (): void => undefined;
    const service = await run(
      (request, response) => {
        if (request.headers['content-length'] !== '1') return Promise.resolve(void response.end('whole'));
        response.write('begun ');
        endStream = () => {
          order.push('stream ended');
          response.end('ended');
        };
        return Promise.resolve();
      },
      300,
      { onStop: () => Promise.resolve(void order.push('parts closed')) },
    );
    const { port } = service;
    expect((await ask(port, agent)).connection).toBe('keep-alive');
    const stream = fetch(`http://127.0.0.1:${port}/v1/messages`, { method: 'POST', body: 'x' });
    const reply = await stream;

    const stopped = service.stop(5000);
    const [ready, served] = [await ask(port, agent, '/readyz'), await ask(port, agent)];
    expect([ready.status, served.status, served.text]).toEqual([503, 200, 'whole']);
    expect(served.connection).toBe('close');

    await expect(async () => {
      for (;;) await ask(port, new Agent());
    }).rejects.toMatchObject({ code: expect.stringMatching(/ECONNREFUSED|ECONNRESET/) as string });
    expect(order).toEqual([]);
    endStream();
    expect(await reply.text()).toBe('begun ended');
    await stopped;
    expect(order).toEqual(['stream ended', 'parts closed']);
    agent.destroy();
  });

  it('fails no request while balancers have not noticed yet, over new connections and those that stay open', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    const service = await run((_request, response) => Promise.resolve(void response.end('whole')), 400);
    const replies: Answer[] = [];
    let isNoticed = false;
    const asking = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!isNoticed) replies.push(await ask(service.port, agent));
      }),
    );
    await ask(service.port, agent);
    const stopped = service.stop(1000);
    setTimeout(() => (isNoticed = true), 200);
    await asking;
    await stopped;

    expect(replies.length).toBeGreaterThan(4);
    expect(replies.every(({ status, text }) => status === 200 && text === 'whole')).toBe(true);
    expect(replies.at(-1)?.connection).toBe('close');
    agent.destroy();
  });

  it.each([
    ['who asked for that', 'POST /v1/messages HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 0'],
    ['who speaks HTTP/1.0', 'POST /v1/messages HTTP/1.0\r\nhost: x\r\ncontent-length: 0'],
    ['whose body is not read', 'POST /v1/messages HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked'],
  ])('says nothing of keeping a connection that it closes: of one %s', async (_, head) => {
    const service = await run((request, response) => {
      if (request.headers['transfer-encoding'] !== undefined) return Promise.reject(new GatewayError('permission_denied', 'Not you.'));
      return Promise.resolve(void response.end('whole'));
    }, 0);
    const client = sendRaw(service.port, `${head}\r\n\r\n`);

    await client.closed;
    expect(client.text()).toMatch(/^HTTP\/1\.1 \d+ [^]*connection: close/i);
    expect(client.text()).not.toMatch(/keep-alive/i);
    await service.stop(0);
  });

  it('states how long an idle connection may be kept, except on connections that are to close', async () => {
    const service = await run((_request, response) => Promise.resolve(void response.end('whole')), 60_000);
    const ask = async (): Promise<(string | null)[]> => {
      const { headers } = await fetch(`http://127.0.0.1:${service.port}/v1/messages`, { method: 'POST' });
      return [headers.get('connection'), headers.get('keep-alive')];
    };

    expect(await ask()).toEqual(['keep-alive', 'timeout=5']);
    const stopped = service.stop(60_000);
    expect(await ask()).toEqual(['close', null]);
    await service.stop(0);
    await stopped;
  });

  it('still serves a connection that was idle for long, where its clients close theirs first', async () => {
    const agent = new Agent({ keepAlive: true });
    const service = await run((_request, response) => Promise.resolve(void response.end('whole')), 0, { lingerMs: 60_000 });
    await ask(service.port, agent);
    const stopped = service.stop(60_000);
    await new Promise((resolve) => setTimeout(resolve, 1000));

    expect(await ask(service.port, agent)).toEqual({ status: 200, connection: 'close', text: 'whole' });
    await stopped;
    agent.destroy();
  });

  it('does not wait any more when it is asked to stop twice', async () => {
    const service = await run(() => new Promise(() => undefined), 60_000);
    const cut = fetch(`http://127.0.0.1:${service.port}/v1/messages`, { method: 'POST' }).catch(() => 'cut');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const stopped = service.stop(60_000);
    void service.stop(0);

    expect(await cut).toBe('cut');
    await stopped;
  });

  it('lets a caller end what was begun on a connection with more in it, and serves nothing after its last answer', async () => {
    const served: string[] = [];
    let finishFirst = (): void => undefined;
    const service = await run((request, response) => {
      served.push(String(request.headers['x-name']));
      return new Promise((resolve) => {
        finishFirst = () => response.end('first', resolve);
      });
    }, 0);
    const ask = (name: string): string => `POST /v1/messages HTTP/1.1\r\nhost: x\r\nx-name: ${name}\r\ncontent-length: 0\r\n\r\n`;
    const client = sendRaw(service.port, ask('one'));
    while (served.length === 0) await new Promise(setImmediate);
    const stopped = service.stop(5000);
    finishFirst();
    await client.waitFor('first');
    client.socket.write(ask('two'));

    await client.closed;
    await stopped;
    expect(client.text()).toMatch(/\r\nconnection: close\r\n/i);
    expect(served).toEqual(['one']);
  });
});
