import { createCatalog } from '../create-catalog';
import type { ModelRecord } from '../model-record.schema';
import { documentWith, nextState, ownModel, priceOf } from './__fixtures__/own-model';
import type { CatalogState } from './catalog-document.schema';
import { createLiveCatalog, documentOf, type LiveCatalog } from './live-catalog';
import { planVersion } from './plan-version';

const NOON = Date.parse('2026-11-24T12:00:00Z');
const clock = { ms: NOON };
const shipped = createCatalog(undefined, () => NOON);
const open = (): LiveCatalog => createLiveCatalog({ now: () => clock.ms });

beforeEach(() => {
  clock.ms = NOON;
});

function find(catalog: LiveCatalog, id: string): ModelRecord {
  const record = catalog.find(id);
  if (record === undefined) throw new Error(`there is no ${id}`);
  return record;
}

const inputOf = (catalog: LiveCatalog, record: ModelRecord): string | undefined => {
  const sheet = catalog.priceSheet(record);
  return sheet.kind === 'chat' ? sheet.tiers[0]?.input : undefined;
};

describe('a catalogue that is replaced', () => {
  it('is that of the release until then', () => {
    const catalog = open();

    expect(catalog.list().map(({ id }) => id)).toEqual(shipped.list().map(({ id }) => id));
    expect([catalog.state(), documentOf(catalog).models]).toEqual([undefined, []]);
  });

  it('adds, changes and removes models for those who hold it already, and says that it is another', () => {
    const catalog = open();
    const before = catalog.version();
    const { find: held } = catalog;

    catalog.replace(nextState(catalog, documentWith({ models: [ownModel()], removed: ['openai/gpt-4o'] })));

    expect(held('sandbox/own')).toMatchObject({ upstreamModel: 'own' });
    expect([held('openai/gpt-4o'), held('openai-responses/gpt-4o')]).toEqual([undefined, undefined]);
    expect(catalog.findBare('own').exact.map(({ id }) => id)).toEqual(['sandbox/own']);
    expect(catalog.list()).toHaveLength(shipped.list().length - 1);
    expect(catalog.version()).not.toBe(before);
  });

  it('keeps records that did not change, and what was derived from them', () => {
    const catalog = open();
    const [record, twin] = [find(catalog, 'openai/gpt-4o-mini'), find(catalog, 'openai-responses/gpt-4o-mini')];
    const sheet = catalog.priceSheet(twin);

    catalog.replace(nextState(catalog, documentWith({ models: [ownModel()] })));

    expect([find(catalog, record.id), find(catalog, twin.id)]).toEqual([record, twin]);
    expect(find(catalog, twin.id)).toBe(twin);
    expect(catalog.priceSheet(twin)).toBe(sheet);
  });

  it('prices a request that holds a record from before with the price that it was promised', () => {
    const catalog = open();
    catalog.replace(nextState(catalog, documentWith({ models: [ownModel()] })));
    const promised = find(catalog, 'sandbox/own');
    const next = ownModel('sandbox/own', { prices: [priceOf(1), priceOf(3, '2026-11-24')] });

    catalog.replace(nextState(catalog, documentWith({ models: [next] })));

    expect([inputOf(catalog, promised), inputOf(catalog, find(catalog, 'sandbox/own'))]).toEqual(['0.000001000', '0.000003000']);
    expect(catalog.facts(promised).id).toBe('sandbox/own');
  });

  it('knows a removed model for requests that were admitted before, and its prices for ever', () => {
    const catalog = open();
    catalog.replace(nextState(catalog, documentWith({ models: [ownModel()] })));
    const sheet = catalog.priceSheet(find(catalog, 'sandbox/own'));

    catalog.replace(nextState(catalog, documentWith({ removed: ['openai/gpt-4o'] }), { isRollback: true }));

    expect([catalog.find('sandbox/own'), catalog.recall('sandbox/own')?.id]).toEqual([undefined, 'sandbox/own']);
    expect(catalog.findPriceSheet({ id: 'sandbox/own' }, '2026-01-01')).toEqual(sheet);
    const [price] = find(open(), 'openai/gpt-4o').prices;
    expect(catalog.findPriceSheet({ id: 'openai/gpt-4o' }, price?.version ?? '')?.version).toBe(price?.version);
    expect(open().findPriceSheet({ id: 'sandbox/own' }, '2026-01-01')).toBeUndefined();
  });

  it('is another from the moment on at which an announced price begins', () => {
    const catalog = open();
    const prices = [priceOf(1), priceOf(2, '2026-11-24T13:00:00Z'), priceOf(4, '2026-11-25')];
    catalog.replace(nextState(catalog, documentWith({ models: [ownModel('sandbox/own', { prices })] })));
    const record = find(catalog, 'sandbox/own');
    const seen: [boolean, string | undefined][] = [];
    for (const hour of [12.5, 13, 14, 36]) {
      const before = catalog.version();
      clock.ms = Date.parse('2026-11-24') + hour * 3_600_000;
      catalog.refresh();
      seen.push([catalog.version() !== before, inputOf(catalog, record)]);
    }

    expect(seen).toEqual([
      [false, '0.000001000'],
      [true, '0.000002000'],
      [false, '0.000002000'],
      [true, '0.000004000'],
    ]);
  });

  const withModels = (state: CatalogState, models: unknown[]): object => ({ ...state, id: 2, document: { models } });
  it.each<[string, (state: CatalogState) => unknown, string]>([
    ['no version at all', () => ({ models: [] }), 'digest'],
    ['a member that this version does not know', (state) => ({ ...state, document: { colours: [] } }), 'colours'],
    ['a row that is no model', (state) => withModels(state, [{ id: 'sandbox/own' }]), 'catalogue model 1 (sandbox/own)'],
    ['a price per million', (state) => withModels(state, [ownModel('sandbox/own', { prices: [priceOf(1e6)] })]), 'more than 0.01'],
    ['two models of one id', (state) => withModels(state, [ownModel(), ownModel()]), 'two models of this id'],
    [
      'a price that was another one',
      (state) => JSON.parse(JSON.stringify(state).replaceAll('0.000002000', '0.5')),
      'has named another price',
    ],
  ])('takes nothing of %s', (_, change, problem) => {
    const catalog = open();
    const state = nextState(catalog, documentWith({ models: [ownModel()] }));
    catalog.replace(state);
    const before = catalog.version();
    const changed = change(state);
    // Only the prices as they are kept: the row is what it was.
    const given = problem.includes('another price') ? { ...(changed as CatalogState), document: state.document } : changed;

    expect(() => catalog.replace(given)).toThrow(problem);
    expect([catalog.state(), catalog.version() === before]).toEqual([state, true]);
  });

  it('takes nothing where the rows of providers cannot be taken', () => {
    const catalog = createLiveCatalog({
      takeProviders: () => {
        throw new Error('no such deviation');
      },
    });
    const state = nextState(open(), documentWith({ models: [ownModel()] }));

    expect(() => catalog.replace(state)).toThrow('no such deviation');
    expect(catalog.find('sandbox/own')).toBeUndefined();
  });
});

describe('what may follow', () => {
  const withOwn = (): LiveCatalog => {
    const catalog = open();
    const prices = [priceOf(1), priceOf(2, '2026-11-01'), priceOf(3, '2026-12-01')];
    catalog.replace(nextState(catalog, documentWith({ models: [ownModel('sandbox/own', { prices })] })));
    return catalog;
  };
  const plan = (prices: unknown[], isRollback = false) =>
    planVersion({ catalog: withOwn(), document: documentWith({ models: [ownModel('sandbox/own', { prices })] }), isRollback, nowMs: NOON });

  it.each<[string, unknown[], string]>([
    [
      'a price that was in force is gone',
      [priceOf(1), priceOf(3, '2026-12-01')],
      'the price 2026-11-01, which usage events may name, is gone',
    ],
    [
      'a price is another under its old version',
      [priceOf(1), priceOf(9, '2026-11-01'), priceOf(3, '2026-12-01')],
      'has named another price',
    ],
    [
      'an announced price is another under its old version',
      [priceOf(1), priceOf(2, '2026-11-01'), priceOf(9, '2026-12-01')],
      'another price',
    ],
  ])('is refused where %s', (_, prices, problem) => {
    expect(() => plan(prices)).toThrow(problem);
  });

  it('withdraws a price that was announced and never in force, and moves one under another version', () => {
    expect(plan([priceOf(1), priceOf(2, '2026-11-01')]).diff.models).toMatchObject([
      { prices: [{ kind: 'withdrawn', version: '2026-12-01' }] },
    ]);
    const moved = plan([priceOf(1), priceOf(2, '2026-11-01'), priceOf(3, '2026-12-15', 'later')]);
    expect(moved.diff.models[0]?.prices.map(({ version, kind }) => [version, kind])).toEqual([
      ['later', 'added'],
      ['2026-12-01', 'withdrawn'],
    ]);
  });

  it('may drop a price that was in force in a rollback, and keeps its sheet', () => {
    const { sheets } = plan([priceOf(1)], true);
    expect(sheets.map(({ sheet }) => sheet.version)).toEqual(['2026-01-01', '2026-11-01', '2026-12-01']);
  });

  it('may not change a price of the release under its version', () => {
    const record = find(open(), 'sandbox/chat');
    const prices = [priceOf(7, record.prices[0]?.validFrom, record.prices[0]?.version)];
    const document = documentWith({ models: [ownModel('sandbox/chat', { prices })] });
    expect(() => planVersion({ catalog: open(), document, nowMs: NOON })).toThrow('has named another price');
  });

  it('keeps the price of a search that was worked out, whatever is usual later', () => {
    const searching = { provider: 'acme', supports: ['web_search'] };
    const stating = (usd: string, version = '2026-01-01') =>
      ownModel('acme/states', {
        ...searching,
        prices: [{ ...priceOf(1), search: '0.01' }, ...(usd === '0.01' ? [] : [{ ...priceOf(1, '2026-11-01', version), search: usd }])],
      });
    const silent = ownModel('acme/silent', searching);
    const catalog = open();
    catalog.replace(nextState(catalog, documentWith({ models: [stating('0.01'), silent] })));
    const sheet = catalog.priceSheet(find(catalog, 'acme/silent'));

    catalog.replace(nextState(catalog, documentWith({ models: [stating('0.05', 'dearer'), silent] })));

    expect(sheet).toMatchObject({ search: '0.01' });
    expect(catalog.priceSheet(find(catalog, 'acme/silent'))).toEqual(sheet);
  });
});
