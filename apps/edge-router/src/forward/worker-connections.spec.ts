import { isShortPassport, PASSPORT_HEADER, type Passport } from '@weir/contracts';
import { buildWorkerRoutes, createWeirServer, listen } from '@weir/http-server';
import { createBuiltInCatalog } from '@weir/model-catalog';
import { planAttempts } from '@weir/routing';
import { createLogger, createMetricsRegistry, createRequestMetrics } from '@weir/telemetry';
import { createUpstreamTransport } from '@weir/upstream-http';
import { buildForwarded } from './__fixtures__/build-forwarded';
import { createHttpForward } from './forward-over-http';
import { WorkerAddresses } from './worker-addresses';

const passportSecret = 's'.repeat(32);

type Worker = { readonly server: Awaited<ReturnType<typeof listen>>; readonly served: Passport[]; readonly kinds: string[] };

/** A worker on a port, as one of this version or, where it `isOlder`, as one that knows whole passports only. */
async function startWorker(port = 0, isOlder = false): Promise<Worker> {
  const [served, kinds]: [Passport[], string[]] = [[], []];
  const hotRoutes = buildWorkerRoutes({
    ...{ service: 'chat-translator', passportSecret, bodyBytesMax: 1000, now: Date.now },
    uses: { claim: () => true },
    handle: ({ passport, headers, response }) => {
      served.push(passport);
      kinds.push(isShortPassport(String(headers[PASSPORT_HEADER])) ? 'short' : 'whole');
      if (isOlder) for (const name of response.getHeaderNames()) if (name.includes('greeting')) response.removeHeader(name);
      return Promise.resolve(void response.end('{}'));
    },
  });
  const options = { hotRoutes, fallback: () => undefined, now: Date.now, isBehindEdge: true };
  const log = createLogger({ service: 'worker', level: 'silent' });
  const server = createWeirServer({ ...options, log, metrics: createRequestMetrics(createMetricsRegistry()) });
  return { server: await listen(server, port, '127.0.0.1'), served, kinds };
}

describe('an edge and its workers', () => {
  const transport = createUpstreamTransport({ connectTimeoutMs: 1000, connectionsMax: 1, connectionIdleMs: 4000, isInner: true });
  const { attempts } = planAttempts('openai/gpt-4o-mini', 'chat', { catalog: createBuiltInCatalog(), isRoutable: () => true });
  let forward: ReturnType<typeof createHttpForward>;
  const ask = async (requestId: string) => {
    const { admitted, reported, wasHeadAlone } = buildForwarded({ attempts });
    const passport = { ...admitted.passport, requestId, admittedAtMs: Date.now(), deadlineMs: Date.now() + 30_000 };
    await forward('chat-translator', { ...admitted, passport });
    // A body that comes with its head goes with it.
    expect([reported, wasHeadAlone()]).toEqual([['200', '{}'], false]);
    return passport;
  };
  const connectTo = (port: number): void => {
    const workers = { 'chat-translator': new WorkerAddresses([`http://127.0.0.1:${port}`]) };
    forward = createHttpForward({ workers, send: transport.send, passportSecret });
  };
  afterAll(() => transport.close());

  it('pass the same passport on in short, and whole to the worker that takes the place of one', async () => {
    const first = await startWorker();
    const { port } = first.server;
    connectTo(port);
    const asked = [await ask('1'), await ask('2'), await ask('3')];
    await first.server.drain(0);
    const second = await startWorker(port);
    asked.push(await ask('4'), await ask('5'));
    await second.server.drain(0);

    expect([first.kinds, second.kinds]).toEqual([
      ['whole', 'short', 'short'],
      ['whole', 'short'],
    ]);
    expect([...first.served, ...second.served].map(({ binding: _, ...passport }) => passport)).toEqual(asked);
  });

  it('of which the worker is the older one speak as it does', async () => {
    const older = await startWorker(0, true);
    connectTo(older.server.port);
    await ask('1');
    await ask('2');
    await older.server.drain(0);

    expect(older.kinds).toEqual(['whole', 'whole']);
  });
});
