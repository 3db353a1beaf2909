import { createLiveCatalog, digestDocument, planVersion, type CatalogDocument, type LiveCatalog } from '@weir/model-catalog';
import { startTestDatabase, type TestDatabase } from '../__fixtures__/test-database';
import { appendCatalogVersion } from './append-catalog-version';
import {
  acceptCatalogProposal,
  addCatalogProposal,
  dismissCatalogProposal,
  findCatalogProposal,
  listCatalogProposals,
} from './catalog-proposals';
import { createCatalogSource } from './catalog-source';
import { listCatalogVersions } from './list-catalog-versions';
import { openStoredCatalog } from './open-stored-catalog';

let server: TestDatabase;
beforeAll(async () => {
  server = await startTestDatabase();
});
afterAll(() => server.stop());

const price = (input: string, version: string) => ({
  version,
  validFrom: '2026-01-01',
  tiers: [{ threshold: 0, input, output: '0.000002' }],
});

function documentOf(input: string, version = input): CatalogDocument {
  const facts = { modality: 'chat', provider: 'sandbox', upstreamModel: 'own', vendor: 'sandbox', canonicalName: 'own' };
  return { models: [{ id: 'sandbox/own', ...facts, prices: [price(input, version)] }], removed: [], providers: [] };
}

const pool = () => server.database.pool;

/** The catalogue as a process would have it, and what it would append. */
async function plan(document: CatalogDocument, isRollback = true) {
  const catalog = createLiveCatalog();
  const state = await createCatalogSource(pool()).read();
  if (state !== undefined) catalog.replace(state);
  return { ...planVersion({ catalog, document, isRollback, nowMs: Date.now() }), actor: 'ann', note: 'a test' };
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

function follow(): Promise<{ catalog: LiveCatalog; stop(): Promise<void> }> {
  return openStoredCatalog({ pool: pool(), show: () => undefined, log: silent });
}

it('keeps versions in order, gives back what was written, and whole after a restart', async () => {
  expect(await createCatalogSource(pool()).newest()).toBeUndefined();
  const first = await appendCatalogVersion(pool(), await plan(documentOf('0.000001')));
  const second = await appendCatalogVersion(pool(), await plan(documentOf('0.000003')));

  expect([first, second]).toEqual([1, 2]);
  expect(await createCatalogSource(pool()).newest()).toEqual({ id: 2, digest: digestDocument(documentOf('0.000003')) });
  const { catalog, stop } = await follow();
  await stop();
  expect(catalog.state()).toMatchObject({ id: 2, document: documentOf('0.000003') });
  // The price of the version before was charged: events name it.
  const sheets = ['0.000001', '0.000003'].map((version) => catalog.findPriceSheet({ id: 'sandbox/own' }, version));
  expect(sheets).toMatchObject([{ tiers: [{ input: '0.000001' }] }, { tiers: [{ input: '0.000003' }] }]);
});

it('rolls back as a new version with the document of an old one', async () => {
  const version = await appendCatalogVersion(pool(), { ...(await plan(documentOf('0.000001'))), restores: 1 });

  const [newest] = await listCatalogVersions(pool(), 1);
  expect(newest).toMatchObject({ id: version, restores: 1, actor: 'ann', note: 'a test', models: 1, removed: 0, providers: 0 });
  expect(newest?.digest).toBe((await listCatalogVersions(pool(), 10)).find(({ id }) => id === 1)?.digest);
});

it('takes one of two writers that looked at the same version, and refuses the other', async () => {
  const [one, other] = [await plan(documentOf('0.000004')), await plan(documentOf('0.000005'))];
  const outcomes = await Promise.allSettled([appendCatalogVersion(pool(), one), appendCatalogVersion(pool(), other)]);

  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const refused = outcomes.find(({ status }) => status === 'rejected');
  expect(refused).toMatchObject({
    reason: { code: 'conflict', message: expect.stringContaining('Look at the difference again') as string },
  });
});

it('is never changed, deleted or emptied', async () => {
  const before = await listCatalogVersions(pool(), 100);
  for (const sql of ["UPDATE catalog_version SET actor = 'eve'", 'DELETE FROM catalog_version', 'TRUNCATE catalog_version CASCADE']) {
    await expect(pool().query(sql)).rejects.toThrow('rows of catalog_version are never changed');
  }
  expect(await listCatalogVersions(pool(), 100)).toEqual(before);
});

it('goes on with the newest version that can be read, in a process that starts as in one that runs', async () => {
  const running = await follow();
  const inForce = running.catalog.state()?.id;
  const { document, ...rest } = await plan(documentOf('0.000004'));
  await appendCatalogVersion(pool(), { ...rest, document: { ...document, inventions: [] } as CatalogDocument });
  const started = await follow();

  expect([started.catalog.state()?.id, started.catalog.find('sandbox/own')?.id]).toEqual([inForce, 'sandbox/own']);
  await Promise.all([running.stop(), started.stop()]);
  // The next one is planned by a process that can read it.
  await appendCatalogVersion(pool(), { ...rest, document, follows: (rest.follows ?? 0) + 1 });
});

it('settles a proposal once, together with the version that comes of it', async () => {
  const changes = [{ kind: 'missing', model: 'sandbox/chat' }];
  const add = () => addCatalogProposal(pool(), { actor: 'ann', source: 'list.json', format: 'weir', changes });
  const [accepted, dismissed] = [await add(), await add()];
  expect((await listCatalogProposals(pool())).map(({ id }) => id)).toEqual([accepted, dismissed]);
  const planned = await plan({ models: [], removed: ['sandbox/chat'], providers: [] });

  const version = await acceptCatalogProposal(pool(), accepted, planned);
  await expect(acceptCatalogProposal(pool(), accepted, { ...planned, follows: version })).rejects.toMatchObject({ code: 'conflict' });

  expect((await createCatalogSource(pool()).newest())?.id).toBe(version);
  expect(await findCatalogProposal(pool(), accepted)).toMatchObject({ outcome: 'accepted', settledBy: 'ann', changes });
  expect([await dismissCatalogProposal(pool(), dismissed, 'bob'), await dismissCatalogProposal(pool(), dismissed, 'bob')]).toEqual([
    true,
    false,
  ]);
  expect(await listCatalogProposals(pool())).toEqual([]);
});
