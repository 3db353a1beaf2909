import { createServer } from 'node:http';
import { connect } from 'node:net';
import { createLogger, createMetricsRegistry } from '@weir/telemetry';
import { createLentPort, type LentPort } from './lent-port';
import { runService, type RunningService } from './run-service';
import { sharePort, type SharedPort } from './share-port';

describe('a port that one process takes and others serve', () => {
  let shared: SharedPort;
  let lent: LentPort;
  let service: RunningService | undefined;
  let release: () => void = () => undefined;

  beforeEach(async () => {
    shared = await sharePort({ port: 0, host: '127.0.0.1' });
  });
  afterEach(async () => {
    release();
    await service?.stop(0);
    service = undefined;
    shared.close();
  });
  const run = async (): Promise<void> => {
    lent = createLentPort(shared.port);
    service = await runService({
      ...{ port: 0, host: '127.0.0.1', metricsPort: { asked: 0, usual: 1 }, taken: lent, health: {} },
      log: createLogger({ service: 'test', level: 'silent', destination: { write: () => undefined } }),
      registry: createMetricsRegistry(),
      mount: (app) => {
        app.get('/slow', (_request, response) => void (release = () => response.end('at last')));
        app.get('/quick', (request, response) => void response.end(String(request.socket.remotePort)));
      },
      onStop: () => Promise.resolve(),
    });
    shared.giveTo((socket) => lent.take(socket));
  };
  const ask = (path: string) => fetch(`http://127.0.0.1:${shared.port}${path}`);

  it('says that it is starting, and is served by who is given its connections', async () => {
    expect([(await ask('/healthz')).status, (await ask('/readyz')).status, (await ask('/quick')).status]).toEqual([200, 503, 503]);
    await run();
    expect([(await ask('/readyz')).status, (await ask('/quick')).status]).toEqual([200, 200]);
    expect(service?.port).toBe(shared.port);
  });

  it('serves a caller that has closed its side after the request', async () => {
    await run();
    const reply = await new Promise<string>((resolve, reject) => {
      const socket = connect({ port: shared.port, host: '127.0.0.1', allowHalfOpen: true }, () => {
        socket.end('GET /quick HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
      });
      let text = '';
      socket.on('data', (piece: Buffer) => (text += piece.toString()));
      socket.once('end', () => resolve(text)).once('error', reject);
    });
    expect(reply).toContain('200 OK');
  });

  it('ends when the last connection it was given has ended, and cuts what lasts too long', async () => {
    await run();
    const running = ask('/slow').then((reply) => reply.text());
    while (service?.runningRequests() !== 1) await new Promise(setImmediate);
    const stopped = service.stop(10_000);
    release();
    expect(await running).toBe('at last');
    await stopped;

    shared.close();
    shared = await sharePort({ port: 0, host: '127.0.0.1' });
    await run();
    const cut = ask('/slow').then(
      () => 'served',
      () => 'cut',
    );
    while (service.runningRequests() !== 1) await new Promise(setImmediate);
    await service.stop(0);
    expect(await cut).toBe('cut');
  });

  it('watches over the times of its connections as a server that listens does', () => {
    const listening = createServer();
    const { take, ...rest } = createLentPort(1);
    const server = rest.handOver();
    const names = (value: object): string[] => Object.getOwnPropertySymbols(value).map(String).sort();
    expect([typeof take, rest.port]).toEqual(['function', 1]);
    listening.listen(0, '127.0.0.1');
    return new Promise<void>((resolve) =>
      listening.once('listening', () => {
        expect(names(server)).toEqual(expect.arrayContaining(names(listening).filter((name) => /connection/i.test(name))));
        listening.close();
        server.close();
        resolve();
      }),
    );
  });
});
