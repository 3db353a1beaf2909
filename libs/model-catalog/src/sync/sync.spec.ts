import { documentWith, nextState, ownModel, priceOf } from '../live/__fixtures__/own-model';
import { createLiveCatalog, type LiveCatalog } from '../live/live-catalog';
import { planVersion } from '../live/plan-version';
import { acceptChanges } from './accept-changes';
import { toDecimalText } from './decimal-text';
import { LIST_FORMATS } from './list-formats';
import { proposeChanges, type ProposedChange } from './propose-changes';
import { readList } from './read-list';

const nowMs = Date.parse('2026-11-24T12:00:00Z');
const NAMES = { ids: 'openai', priced: 'openrouter', map: 'litellm', rows: 'weir' };

function formatOf(name: string) {
  const format = LIST_FORMATS.find((one) => one.name === name);
  if (format === undefined) throw new Error(`no format ${name}`);
  return 'provider' in format
    ? { ...format, provider: 'acme' }
    : 'providers' in format
      ? { ...format, providers: { listed: 'acme' } }
      : format;
}

function open(): LiveCatalog {
  const catalog = createLiveCatalog({ now: () => nowMs });
  const acme = { provider: 'acme', vendor: 'acme' };
  const models = [ownModel('acme/small', { ...acme, contextWindow: 1000 }), ownModel('acme/large', acme)];
  catalog.replace(nextState(catalog, documentWith({ models })));
  return catalog;
}

const propose = (name: string, list: unknown, catalog = open()): ProposedChange[] =>
  proposeChanges(readList(JSON.stringify(list), formatOf(name)), catalog);

it.each([
  [1.5e-7, '0.00000015'],
  [0.1 + 0.2, '0.3'],
  ['0.0000025', '0.0000025'],
  [0, '0'],
  [12, '12'],
  ['0.1', '0.1'],
  [-1, undefined],
  ['free', undefined],
  [null, undefined],
])('reads the amount %p of a list as %p', (listed, text) => {
  expect(toDecimalText(listed)).toBe(text);
});

it('learns of ids alone which models are new, which need a price, and which are no longer there', () => {
  const changes = propose(NAMES.ids, { object: 'list', data: [{ id: 'small', owned_by: 'acme' }, { id: 'tiny' }] });

  expect(changes).toEqual([
    { kind: 'missing', model: 'acme/large' },
    { kind: 'new', model: 'acme/tiny', row: null, amounts: [], isImplausible: false },
  ]);
});

it('takes no model for missing where the list goes on elsewhere', () => {
  expect(propose(NAMES.ids, { data: [{ id: 'small' }], has_more: true })).toEqual([]);
});

it('reads a list with prices for each token', () => {
  const top = { max_completion_tokens: 500 };
  const pricing = { prompt: '0.0000015', completion: '0.000002', request: '0', web_search: '0.01' };
  const changes = propose(NAMES.priced, {
    data: [
      { id: 'small', context_length: 2000, top_provider: top, pricing },
      { id: 'large', pricing: { prompt: '0.000001', completion: '0.000002' } },
      { id: 'acme-labs/new:free', context_length: 10, pricing: { prompt: '0', completion: '0' } },
      { id: 'auto', pricing: { prompt: '-1', completion: '-1' } },
    ],
  });

  expect(changes.map(({ model, kind }) => [model, kind])).toEqual([
    ['acme/acme-labs/new:free', 'new'],
    ['acme/auto', 'new'],
    ['acme/small', 'price'],
    ['acme/small', 'facts'],
  ]);
  expect(changes[2]).toMatchObject({
    isImplausible: false,
    amounts: [
      { name: 'input', before: '0.000001000', after: '0.0000015', percent: 50 },
      { name: 'cachedRead', percent: 50 },
      { name: 'cacheWrite5m', percent: 50 },
      { name: 'cacheWrite1h', percent: 50 },
      { name: 'search', before: null, after: '0.01', percent: null },
    ],
  });
  expect(changes[3]).toMatchObject({ facts: { contextWindow: 2000, maxOutputTokens: 500 } });
});

it('reads a map of prices of many providers, with tiers, and marks a factor of ten', () => {
  const small = { litellm_provider: 'listed', mode: 'chat', input_cost_per_token: 1e-6, output_cost_per_token: 2e-5 };
  const large = {
    ...small,
    output_cost_per_token: 2e-6,
    input_cost_per_token_above_200k_tokens: 2e-6,
    output_cost_per_token_above_200k_tokens: 4e-6,
  };
  const changes = propose(NAMES.map, {
    sample_spec: { mode: 'one of chat, embedding', input_cost_per_token: 0 },
    'listed/small': { ...small, max_input_tokens: 1000 },
    large,
    'other/small': { ...small, litellm_provider: 'other' },
    picture: { ...small, mode: 'image_generation' },
  });

  expect(changes).toMatchObject([
    {
      kind: 'price',
      model: 'acme/large',
      isImplausible: false,
      price: { tiers: [{ threshold: 0 }, { threshold: 200_000, input: '0.000002' }] },
    },
    { kind: 'price', model: 'acme/small', isImplausible: true, amounts: [{ name: 'output', after: '0.00002', percent: 900 }] },
  ]);
});

it('reads rows of our own shape, alone or as a document', () => {
  const row = ownModel('acme/small', {
    provider: 'acme',
    vendor: 'acme',
    contextWindow: 1000,
    prices: [priceOf(1), priceOf(2, '2026-11-01')],
  });
  for (const list of [[row], { models: [row] }]) {
    expect(propose(NAMES.rows, list)).toMatchObject([{ model: 'acme/small', amounts: [{ name: 'input', percent: 100 }, {}, {}, {}, {}] }]);
  }
  expect(() => readList('<html>', formatOf(NAMES.rows))).toThrow('no JSON');
  expect(() => propose(NAMES.ids, { models: [] })).toThrow('not of this format: data');
});

describe('what is accepted', () => {
  const priced = (prompt: string, completion = '0.000002') => ({
    data: [{ id: 'small', pricing: { prompt, completion } }, { id: 'large' }],
  });
  const acceptance = { takesImplausible: false, validFrom: '2026-12-01', version: 'december' };

  it('appends a price with its date, and may follow', () => {
    const catalog = open();
    const document = acceptChanges(propose(NAMES.priced, priced('0.0000015'), catalog), catalog, acceptance);

    const { diff } = planVersion({ catalog, document, nowMs });
    expect(diff.models).toMatchObject([
      { id: 'acme/small', kind: 'changed', members: [], prices: [{ version: 'december', validFrom: '2026-12-01', kind: 'added' }] },
    ]);
    catalog.replace(nextState(catalog, document));
    expect(catalog.find('acme/small')?.prices.map(({ version }) => version)).toEqual(['2026-01-01', 'december']);
  });

  it('is a new model with its price, and one that is missing only where it is named', () => {
    const catalog = open();
    const list = { data: [{ id: 'small' }, { id: 'new', pricing: { prompt: '0.000003', completion: '0.000004' } }] };
    const changes = propose(NAMES.priced, list, catalog);
    const all = acceptChanges(changes, catalog, acceptance);
    const some = acceptChanges(changes, catalog, { ...acceptance, only: ['acme/large'] });

    expect([all.models.map(({ id }) => id), all.removed]).toEqual([['acme/large', 'acme/new', 'acme/small'], []]);
    expect(planVersion({ catalog, document: all, nowMs }).diff.models).toMatchObject([{ id: 'acme/new', kind: 'added' }]);
    expect([some.models.map(({ id }) => id), some.removed]).toEqual([['acme/small'], ['acme/large']]);
  });

  it.each<[string, object, object, string]>([
    ['an implausible price', priced('0.00001'), {}, '--despite-implausible'],
    ['a price that becomes nothing', priced('0'), {}, '--despite-implausible'],
    ['a model that the proposal does not name', priced('0.0000015'), { only: ['acme/huge'] }, 'says nothing of acme/huge'],
    [
      'a model without a price',
      { data: [{ id: 'small' }, { id: 'tiny' }, { id: 'large' }] },
      { only: ['acme/tiny'] },
      'no price of acme/tiny',
    ],
    ['nothing', { data: [{ id: 'small' }, { id: 'tiny' }, { id: 'large' }] }, {}, 'nothing in the proposal'],
  ])('is not %s', (_, list, how, problem) => {
    const catalog = open();
    const changes = propose(NAMES.priced, list, catalog);
    expect(() => acceptChanges(changes, catalog, { ...acceptance, ...how })).toThrow(problem);
  });

  it('is an implausible price where that is said', () => {
    const catalog = open();
    const changes = propose(NAMES.priced, priced('0.00001'), catalog);
    expect(acceptChanges(changes, catalog, { ...acceptance, takesImplausible: true }).models).toHaveLength(2);
  });
});
