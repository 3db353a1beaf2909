import type { UpstreamTransport } from '@weir/upstream-http';
import { Readable } from 'node:stream';
import { buildForwarded } from './__fixtures__/build-forwarded';
import { createHttpForward } from './forward-over-http';
import { checkWorkers, followWorkers, WorkerAddresses } from './worker-addresses';

type State = 'ready' | 'draining' | 'gone';

/** Processes of a worker, by origin; what each was sent beside questions for its readiness. */
function startWorkers(states: Record<string, State>) {
  const served: string[] = [];
  const send = ((call) => {
    const { origin, pathname } = new URL(call.url);
    const state = states[origin] ?? 'gone';
    if (state === 'gone') return Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    if (pathname !== '/readyz') served.push(origin);
    const isReady = state === 'ready' || pathname !== '/readyz';
    const body = JSON.stringify(isReady ? {} : { status: 'not ready', problems: ['shutting down'] });
    return Promise.resolve({ status: isReady ? 200 : 503, headers: {}, body: Readable.from([Buffer.from(body)]) });
  }) as UpstreamTransport;
  return { states, served, send };
}

const [A, B, C] = ['http://10.0.0.1:4001', 'http://10.0.0.2:4001', 'http://10.0.0.3:4001'] as const;

function forwardTo(workers: WorkerAddresses, send: UpstreamTransport) {
  const forward = createHttpForward({ workers: { 'chat-translator': workers }, send, passportSecret: 's'.repeat(32) });
  return async (times: number): Promise<void> => {
    for (let asked = 0; asked < times; asked += 1) await forward('chat-translator', buildForwarded({}).admitted);
  };
}

describe('several processes of a worker', () => {
  it('take requests in turn', async () => {
    const { served, send } = startWorkers({ [A]: 'ready', [B]: 'ready', [C]: 'ready' });
    await forwardTo(new WorkerAddresses([A, B, C]), send)(9);

    expect([...served].sort()).toEqual([A, A, A, B, B, B, C, C, C]);
  });

  it('of which one is dead take its requests, in the same try and without a second one there', async () => {
    const { served, send } = startWorkers({ [A]: 'ready', [C]: 'ready' });
    const asked: string[] = [];
    const workers = new WorkerAddresses([A, B, C]);
    await forwardTo(workers, (call) => (asked.push(new URL(call.url).origin), send(call)))(6);

    expect(served).toHaveLength(6);
    expect(asked.filter((origin) => origin === B)).toHaveLength(1);
  });

  it('are all tried where all were dead', async () => {
    const rig = startWorkers({});
    const ask = forwardTo(new WorkerAddresses([A, B]), rig.send);
    await expect(ask(1)).rejects.toMatchObject({ code: 'dependency_down' });
    rig.states[B] = 'ready';
    await ask(1);

    expect(rig.served).toEqual([B]);
  });

  it('of which one is on its way out get its requests, until it is ready again', async () => {
    const rig = startWorkers({ [A]: 'ready', [B]: 'draining' });
    const workers = new WorkerAddresses([A, B]);
    const ask = forwardTo(workers, rig.send);
    (await followWorkers(workers, [A, B], { send: rig.send }))();
    await ask(4);
    rig.states[B] = 'ready';
    (await followWorkers(workers, [A, B], { send: rig.send }))();
    await ask(4);

    expect(rig.served.slice(0, 4)).toEqual([A, A, A, A]);
    expect(rig.served.slice(4).sort()).toEqual([A, A, B, B]);
  });

  it('are one where one of them would take a request', async () => {
    const { send } = startWorkers({ [B]: 'ready' });

    expect(await checkWorkers('chat-translator', new WorkerAddresses([A, B]), send)).toBeNull();
    await expect(checkWorkers('chat-translator', new WorkerAddresses([A, C]), send)).rejects.toThrow('refused');
  });
});

describe('a name of a worker', () => {
  const follow = async (url: string, records: { address: string; family: number }[]) => {
    const { send } = startWorkers({});
    const workers = new WorkerAddresses([url]);
    (await followWorkers(workers, [url], { send, resolve: () => Promise.resolve(records) }))();
    return workers.list.map((address) => address.url);
  };
  const four = (...addresses: string[]) => addresses.map((address) => ({ address, family: 4 }));

  it('with several records is as many addresses', async () => {
    expect(await follow('http://chat:4001', four('10.0.0.1', '10.0.0.2'))).toEqual([A, B]);
    const six = ['fd00::1', 'fd00::2'].map((address) => ({ address, family: 6 }));
    expect(await follow('http://chat:4001', six)).toEqual(['http://[fd00::1]:4001', 'http://[fd00::2]:4001']);
  });

  it('with one record of each family, or with a certificate for the name, stays a name', async () => {
    const both = [...four('127.0.0.1'), { address: '::1', family: 6 }];
    expect(await follow('http://localhost:4001', both)).toEqual(['http://localhost:4001']);
    expect(await follow('https://chat:4001', four('10.0.0.1', '10.0.0.2'))).toEqual(['https://chat:4001']);
  });

  it('that is not known for a while stays what it was', async () => {
    const { send } = startWorkers({});
    const workers = new WorkerAddresses(['http://chat:4001']);
    let records = Promise.resolve(four('10.0.0.1', '10.0.0.2'));
    let looked = 0;
    const resolve = () => ((looked += 1), records);
    const stop = await followWorkers(workers, ['http://chat:4001'], { send, everyMs: 1, resolve });
    records = Promise.reject(new Error('EAI_AGAIN'));
    records.catch(() => undefined);
    const seen = looked;
    while (looked < seen + 3) await new Promise((go) => setImmediate(go));
    stop();

    expect(workers.list.map(({ url }) => url)).toEqual([A, B]);
  });
});
