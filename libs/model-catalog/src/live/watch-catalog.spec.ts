import { documentWith, nextState, ownModel } from './__fixtures__/own-model';
import type { CatalogState } from './catalog-document.schema';
import { createLiveCatalog } from './live-catalog';
import { watchCatalog, type CatalogWatchParts } from './watch-catalog';

type Store = { state: unknown; isAway: boolean; reads: number };

function openStore(state?: unknown) {
  const store: Store = { state, isAway: false, reads: 0 };
  const look = <Found>(found: () => Found): Promise<Found> => (store.isAway ? Promise.reject(new Error('away')) : Promise.resolve(found()));
  const source = {
    newest: () => look(() => (store.state === undefined ? undefined : pickMark(store.state as CatalogState))),
    read: () => look(() => ((store.reads += 1), store.state)),
    publish: (published: CatalogState) => look(() => void (store.state = published)),
  };
  return { store, source };
}

const pickMark = ({ id, digest }: CatalogState) => ({ id, digest });

function collect() {
  const lines: string[] = [];
  const note = (level: string) => (_: object, message: string) => void lines.push(`${level}: ${message}`);
  const shown: Record<string, number> = {};
  const show: CatalogWatchParts['show'] = (state, id) => (shown[state] = id);
  return { lines, shown, show, log: { info: note('info'), warn: note('warn'), error: note('error') } };
}

const first = (id = 1): CatalogState => ({
  ...nextState(createLiveCatalog(), documentWith({ models: [ownModel(`sandbox/own-${id}`)] })),
  id,
});
const quiet = { pollMs: 3_600_000 };

it('follows the source at once when there is a notice, and asks for a whole version only where it is another', async () => {
  const { store, source } = openStore();
  const catalog = createLiveCatalog();
  const noted = collect();
  let notice: () => Promise<void> = () => Promise.resolve();
  const notices = { subscribe: (onNotice: () => Promise<void>) => Promise.resolve(((notice = onNotice), () => Promise.resolve())) };
  const watch = await watchCatalog({ ...noted, ...quiet, catalog, source, notices });
  expect([noted.shown, store.reads]).toEqual([{ newest: 0, in_force: 0 }, 0]);

  store.state = first();
  await notice();

  expect([catalog.find('sandbox/own-1')?.id, noted.shown, store.reads]).toEqual(['sandbox/own-1', { newest: 1, in_force: 1 }, 1]);
  await watch.stop();
});

it('keeps what is in force while the source is away, and says so once', async () => {
  const { store, source } = openStore(first());
  const catalog = createLiveCatalog();
  const noted = collect();
  const watch = await watchCatalog({ ...noted, ...quiet, catalog, source });
  store.isAway = true;
  expect([await watch.catchUp(), await watch.catchUp()]).toEqual([false, false]);
  store.isAway = false;
  store.state = first(2);

  expect(await watch.catchUp()).toBe(true);
  expect(noted.lines.slice(1)).toEqual([
    'warn: the catalogue cannot be reached; what is known stays in force',
    'info: a version of the catalogue is in force',
    'info: the catalogue can be reached again',
  ]);
  await watch.stop();
});

it('does not start on the prices of the release where versions cannot be looked up', async () => {
  const { store, source } = openStore(first());
  store.isAway = true;
  await expect(watchCatalog({ ...collect(), ...quiet, catalog: createLiveCatalog(), source, mustRead: true })).rejects.toThrow('away');
});

it('refuses loudly, and once, what it cannot read, and takes what comes after it', async () => {
  const { store, source } = openStore(first());
  const catalog = createLiveCatalog();
  const noted = collect();
  const watch = await watchCatalog({ ...noted, ...quiet, catalog, source });
  store.state = { ...first(2), document: { models: [], inventions: [] } };
  await watch.catchUp();
  await watch.catchUp();

  expect([noted.shown, store.reads]).toEqual([{ newest: 2, in_force: 1 }, 2]);
  expect(noted.lines.filter((line) => line.startsWith('error'))).toEqual([
    'error: this version of the catalogue cannot be read; what was in force before stays so',
  ]);
  expect(catalog.find('sandbox/own-1')?.id).toBe('sandbox/own-1');
  store.state = first(3);
  await watch.catchUp();
  expect(noted.shown).toEqual({ newest: 3, in_force: 3 });
  await watch.stop();
});

it('starts with the newest version that it can read', async () => {
  const { source } = openStore({ ...first(3), document: { inventions: [] } });
  const earlier = new Map<number, unknown>([
    [3, { ...first(2), document: { inventions: [] } }],
    [2, first(1)],
  ]);
  const noted = collect();
  const catalog = createLiveCatalog();
  const watch = await watchCatalog({
    ...noted,
    ...quiet,
    catalog,
    source: { ...source, readBefore: (id) => Promise.resolve(earlier.get(id)) },
  });

  expect([catalog.find('sandbox/own-1')?.id, noted.shown]).toEqual(['sandbox/own-1', { newest: 3, in_force: 1 }]);
  await watch.stop();
});

it('puts the version in force where others find it, again where it is lost, and believes one that is ahead once', async () => {
  const { store, source } = openStore(first(2));
  const { store: board, source: published } = openStore();
  const watch = await watchCatalog({ ...collect(), ...quiet, catalog: createLiveCatalog(), source, board: published });
  const publishedId = (): number | undefined => (board.state as CatalogState | undefined)?.id;
  const seen = [publishedId()];
  for (const lost of [undefined, first(1)]) {
    board.state = lost;
    await watch.catchUp();
    seen.push(publishedId());
  }
  // Another process may have read a newer one already.
  board.state = first(3);
  await watch.catchUp();
  seen.push(publishedId());
  store.state = first(3);
  await watch.catchUp();
  seen.push(publishedId());
  board.state = first(9);
  for (let look = 0; look < 2; look += 1) {
    await watch.catchUp();
    seen.push(publishedId());
  }

  expect(seen).toEqual([2, 2, 2, 3, 3, 9, 3]);
  await watch.stop();
});
