import { createLogger, createMetricsRegistry, type Tracing } from '@weir/telemetry';
import { createServer } from 'node:http';
import { createNetworkList } from '../connections/network-list';
import { listenOn } from '../connections/listen-on';
import type { HealthParts } from './health';
import { runService, type RunningService } from './run-service';
import type { MetricsPort } from './start-metrics-server';

const running: RunningService[] = [];
const lines: string[] = [];

async function start(
  metricsPort: MetricsPort,
  more: { tracing?: Tracing; onStop?: () => Promise<void>; health?: HealthParts; diskCalls?: Int32Array } = {},
): Promise<RunningService> {
  const service = await runService({
    port: 0,
    host: '127.0.0.1',
    metricsPort,
    log: createLogger({ service: 'test', level: 'warn', destination: { write: (line: string) => void lines.push(line) } }),
    registry: createMetricsRegistry(),
    mount: (app) => {
      app.get('/v1/things/:id', (_request, response) => void response.json({}));
    },
    health: {},
    onStop: () => Promise.resolve(),
    ...more,
  });
  running.push(service);
  return service;
}

afterEach(async () => {
  for (const service of running.splice(0)) await service.stop(0);
  lines.length = 0;
});

const ask = (port: number, path: string, headers: Record<string, string> = {}) => fetch(`http://127.0.0.1:${port}${path}`, { headers });

describe.each([
  ['the main thread', () => undefined],
  ['a thread of its own', () => new Int32Array(new SharedArrayBuffer(4))],
])('the port of metrics, at which %s listens', (_listener, makeDiskCalls) => {
  const run = (port: MetricsPort, more: Parameters<typeof start>[1] = {}): Promise<RunningService> => {
    const diskCalls = makeDiskCalls();
    return start(port, { ...more, ...(diskCalls === undefined ? {} : { diskCalls }) });
  };

  it('serves metrics, and health as well; the port that callers use has health alone', async () => {
    const { port, metricsPort } = await run({ asked: 0, usual: 1 });

    expect(await (await ask(metricsPort, '/metrics')).text()).toContain('process_resident_memory_bytes');
    expect([(await ask(metricsPort, '/healthz')).status, (await ask(metricsPort, '/readyz')).status]).toEqual([200, 200]);
    expect([(await ask(port, '/healthz')).status, (await ask(port, '/readyz')).status]).toEqual([200, 200]);
    expect((await ask(port, '/metrics')).status).toBe(404);
    expect((await ask(metricsPort, '/v1/things/1')).status).toBe(404);
  });

  it('shows what the process needs of others and what is away, to the operator with what is said of it', async () => {
    const postgres = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432'));
    const { port, metricsPort } = await run({ asked: 0, usual: 1 }, { health: { dependencies: { postgres, redis: () => null } } });
    const read = async (at: number, path: string) => (await ask(at, path)).json();
    const redis = { name: 'redis', status: 'there' };

    expect((await ask(port, '/readyz')).status).toBe(200);
    for (const [path, status] of [['/healthz?verbose', 'alive'] as const, ['/readyz?verbose', 'ready'] as const]) {
      expect(await read(port, path)).toEqual({ status, dependencies: [{ name: 'postgres', status: 'away' }, redis] });
      const postgresAway = { name: 'postgres', status: 'away', problem: 'connect ECONNREFUSED 10.0.0.7:5432' };
      expect(await read(metricsPort, path)).toEqual({ status, dependencies: [postgresAway, redis] });
    }
    expect(await read(port, '/healthz')).toEqual({ status: 'alive' });
    const metrics = await (await ask(metricsPort, '/metrics')).text();
    expect(metrics.match(/^weir_dependency_up\{.*$/gm)).toEqual([
      'weir_dependency_up{dependency="postgres"} 0',
      'weir_dependency_up{dependency="redis"} 1',
    ]);
  });

  it('writes metrics in OpenMetrics for those who ask for it', async () => {
    const { metricsPort } = await run({ asked: 0, usual: 1 });
    const reply = await ask(metricsPort, '/metrics', { accept: 'application/openmetrics-text;version=1.0.0;q=0.6,text/plain;q=0.4' });

    expect(reply.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(await reply.text()).toMatch(/# TYPE weir_connections_refused counter\n[^]*# EOF\n$/);
    expect((await ask(metricsPort, '/metrics')).headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  });

  it('returns 404 to a client behind a proxy', async () => {
    const { metricsPort } = await run({ asked: 0, usual: 1 });
    for (const name of ['x-forwarded-for', 'forwarded']) {
      const reply = await ask(metricsPort, '/metrics', { [name]: 'for=203.0.113.7' });
      expect([reply.status, await reply.json()]).toEqual([404, expect.objectContaining({ error: expect.anything() as unknown })]);
    }
  });

  it('serves until the very end of a stop', async () => {
    const statuses: number[] = [];
    const onStop = async (): Promise<void> => {
      for (const path of ['/readyz', '/metrics']) statuses.push((await ask(metricsPort, path)).status);
    };
    const { metricsPort, stop } = await run({ asked: 0, usual: 1 }, { onStop });
    await stop(5000);
    expect(statuses).toEqual([503, 200]);
    await expect(ask(metricsPort, '/healthz')).rejects.toThrow();
  });

  it('is another one where the usual one is taken, and says so; one that is asked for is had or nothing starts', async () => {
    const other = createServer();
    const taken = await listenOn(other, 0, '127.0.0.1');
    const { metricsPort } = await run({ asked: undefined, usual: taken });

    expect(metricsPort).not.toBe(taken);
    expect((await ask(metricsPort, '/metrics')).status).toBe(200);
    expect(lines.join()).toContain(`"usualPort":${taken},"metricsPort":${metricsPort}`);
    await expect(run({ asked: taken, usual: 1 })).rejects.toThrow(/EADDRINUSE/);
    other.close();
  });

  it('knows methods, HEAD and compression, and keeps connections', async () => {
    const { metricsPort } = await run({ asked: 0, usual: 1 });
    const at = (path: string) => `http://127.0.0.1:${metricsPort}${path}`;

    const head = await fetch(at('/healthz'), { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '18', '']);
    const posted = await fetch(at('/readyz'), { method: 'POST', body: 'x'.repeat(100_000) });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await fetch(at('/metrics'), { method: 'OPTIONS' })).headers.get('allow')).toContain('GET');
    const page = await fetch(at('/metrics'), { headers: { 'accept-encoding': 'gzip' } });
    expect([page.headers.get('content-encoding'), page.headers.get('connection')]).toEqual(['gzip', 'keep-alive']);
    expect(await page.text()).toContain('process_resident_memory_bytes');
    expect(page.headers.get('x-request-id')).not.toBeNull();
  });
});

describe('networks of the operator', () => {
  it.each([
    ['10.1.2.3', true],
    ['::ffff:10.1.2.3', true],
    ['100.64.3.4', true],
    ['fd00::1', true],
    ['203.0.113.7', false],
    ['::ffff:203.0.113.7', false],
    ['2001:db8::1', false],
    ['', false],
  ])('%p is private: %p', (address, isPrivate) => {
    const isIn = createNetworkList(['10.0.0.0/8', '100.64.0.0/10', 'fc00::/7']);
    expect(isIn(address)).toBe(isPrivate);
  });
});

describe('a traced request of no hot route', () => {
  it('is a span named by its route, or by its method alone; probes are none', async () => {
    const reported: unknown[] = [];
    let end = (): void => undefined;
    const tracing: Tracing = {
      startSpan: ({ name, kind, parent }) => {
        let latest = name;
        return {
          traceparent: `of ${String(parent)}`,
          note: () => undefined,
          rename: (other) => void (latest = other),
          end: (attributes, failure) => {
            reported.push([latest, kind, parent, attributes['http.route'], attributes['http.response.status_code'], failure]);
            end();
          },
        };
      },
      close: () => Promise.resolve(),
    };
    const { port } = await start({ asked: 0, usual: 1 }, { tracing });
    for (const path of ['/healthz', '/v1/things/7?a=secret', '/v1/nothing']) {
      const ended = new Promise<void>((resolve) => (end = resolve));
      await (await ask(port, path, { traceparent: 'parent' })).text();
      if (path !== '/healthz') await ended;
    }

    expect(reported).toEqual([
      ['GET /v1/things/:id', 'server', 'parent', '/v1/things/:id', 200, undefined],
      ['GET', 'server', 'parent', undefined, 404, undefined],
    ]);
  });
});
