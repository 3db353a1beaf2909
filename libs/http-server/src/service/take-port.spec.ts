import { createLogger, createMetricsRegistry } from '@weir/telemetry';
import { createServer } from 'node:net';
import { tryPort } from '../connections/explain-listening';
import { listenOn } from '../connections/listen-on';
import { runService } from './run-service';
import { checkPort, takePort } from './take-port';

const HOST = '127.0.0.1';

describe('takePort', () => {
  it('responds that it is starting until the service is there, which then serves the same port', async () => {
    const taken = await takePort({ port: 0, host: HOST });
    const ask = (path: string): Promise<Response> => fetch(`http://${HOST}:${taken.port}${path}`);
    const early = await Promise.all(['/healthz', '/readyz', '/v1/models', '/v1/messages'].map(ask));
    expect(early.map(({ status }) => status)).toEqual([200, 503, 503, 503]);
    expect(await early[1]?.json()).toEqual({ status: 'not ready', problems: ['starting'] });
    expect(early[2]?.headers.get('retry-after')).toBe('2');
    expect(await early[3]?.json()).toMatchObject({ type: 'error', error: { message: expect.stringContaining('starting') as string } });

    const service = await runService({
      port: 0,
      taken,
      host: HOST,
      metricsPort: { asked: 0, usual: 0 },
      log: createLogger({ service: 'test', level: 'silent' }),
      registry: createMetricsRegistry(),
      health: {},
      onStop: () => Promise.resolve(),
    });
    expect([service.port, (await ask('/readyz')).status, (await ask('/v1/models')).status]).toEqual([taken.port, 200, 404]);
    await service.stop(0);
    await expect(ask('/readyz')).rejects.toThrow();
  });

  it('says which port is taken by which setting, and names one that is free', async () => {
    const other = createServer();
    const port = await listenOn(other, 0, HOST);
    const refused = (setting: string, free: string): string =>
      `port ${port} of ${HOST} is taken by another program (EADDRINUSE). Stop it, or set ${setting}=${free}, which is free.`;

    const error = (await takePort({ port, host: HOST }).catch((thrown: unknown) => thrown)) as Error;
    const free = /PORT=(\d+)/.exec(error.message)?.[1] ?? '';
    expect(error.message).toBe(refused('PORT', free));
    expect(await tryPort(Number(free), HOST)).toBe(Number(free));
    await expect(checkPort({ port, host: HOST, setting: 'METRICS_PORT' })).rejects.toThrow('set METRICS_PORT=');
    other.close();
  });

  it('says that an address is none of this machine', async () => {
    await expect(takePort({ port: 0, host: '203.0.113.1' })).rejects.toThrow('HOST=203.0.113.1 is no address of this machine');
  });

  it('gives the port back', async () => {
    const taken = await takePort({ port: 0, host: HOST });
    taken.release();
    expect(await tryPort(taken.port, HOST)).toBe(taken.port);
  });
});
