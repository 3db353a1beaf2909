import { createLiveCatalog, digestDocument, planVersion, watchCatalog, type CatalogState } from '@weir/model-catalog';
import { createRedis, createRedisCatalogBoard, type Redis } from '@weir/redis-stores';
import { describeWithRealParts, getRedis, makeTestFolder, type RealRedis } from '@weir/testing';
import { openWorkerCatalog } from './open-worker-catalog';

jest.setTimeout(30_000);
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const never = { pollMs: 3_600_000 };

function stateOf(id: number): CatalogState {
  const facts = { modality: 'chat', provider: 'sandbox', vendor: 'sandbox', canonicalName: 'own' };
  const prices = [{ version: 'first', validFrom: '2026-01-01', tiers: [{ threshold: 0, input: '0.000001', output: '0.000002' }] }];
  const document = { models: [{ id: `sandbox/own-${id}`, upstreamModel: `own-${id}`, ...facts, prices }], removed: [], providers: [] };
  const { sheets } = planVersion({ catalog: createLiveCatalog(), document, nowMs: Date.now() });
  return { id, digest: digestDocument(document), document, sheets: [...sheets] };
}

describeWithRealParts(['redis'], 'the catalogue of a worker', () => {
  let server: RealRedis | undefined;
  let redis: Redis;
  beforeAll(async () => {
    server = await getRedis();
    if (server === undefined) throw new Error('there is no Redis');
    redis = createRedis(server.url, silent);
  });
  afterAll(async () => {
    redis.disconnect();
    await server?.stop();
  });
  beforeEach(() => redis.flushall());

  const open = (directory: string) => {
    const shown: Record<string, number> = {};
    const source = createRedisCatalogBoard(redis);
    const show = (state: string, id: number): void => void (shown[state] = id);
    return openWorkerCatalog({ ...never, source, directory, show, log: silent }).then((opened) => ({ ...opened, shown }));
  };

  /** A process with a database, whose version in force this is. */
  const publish = async (state: CatalogState): Promise<void> => {
    const source = { newest: () => Promise.resolve(state), read: () => Promise.resolve(state) };
    const board = createRedisCatalogBoard(redis);
    await (await watchCatalog({ ...never, catalog: createLiveCatalog(), source, board, show: () => undefined, log: silent })).stop();
  };

  it('is what a process with a database publishes, looked for at once where a request needs it', async () => {
    const worker = await open(makeTestFolder('worker-catalog'));
    expect([worker.catalog.find('sandbox/own-1'), worker.shown]).toEqual([undefined, { newest: 0, in_force: 0 }]);

    await publish(stateOf(1));

    expect([await worker.learnModels(), await worker.learnModels()]).toEqual([true, false]);
    expect([worker.catalog.find('sandbox/own-1')?.id, worker.shown]).toEqual(['sandbox/own-1', { newest: 1, in_force: 1 }]);
    await worker.stop();
  });

  it('stays what it was when what is published is lost, also over a restart, and is published again', async () => {
    const directory = makeTestFolder('worker-catalog');
    await publish(stateOf(1));
    await (await open(directory)).stop();
    await redis.flushall();

    const restarted = await open(directory);
    expect(restarted.catalog.find('sandbox/own-1')?.id).toBe('sandbox/own-1');
    await publish(stateOf(2));
    await restarted.learnModels();
    expect([restarted.catalog.find('sandbox/own-1'), restarted.catalog.find('sandbox/own-2')?.id]).toEqual([undefined, 'sandbox/own-2']);
    await restarted.stop();
  });

  it('refuses what it cannot read, and shows that', async () => {
    await publish(stateOf(1));
    const worker = await open(makeTestFolder('worker-catalog'));
    await createRedisCatalogBoard(redis).publish({ ...stateOf(2), document: { inventions: [] } } as unknown as CatalogState);

    expect(await worker.learnModels()).toBe(false);
    expect([worker.catalog.find('sandbox/own-1')?.id, worker.shown]).toEqual(['sandbox/own-1', { newest: 2, in_force: 1 }]);
    await worker.stop();
  });
});
