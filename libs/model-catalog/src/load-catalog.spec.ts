import { loadCatalog } from './load-catalog';
import type { ModelRow } from './model-record.schema';

const TIER = { threshold: 0, input: '0.000001', output: '0.000002' };
const PRICE = { version: '2026-08-22', validFrom: '2026-08-22', tiers: [TIER] };
const chatRow = (row: Partial<ModelRow> = {}): ModelRow => ({
  id: 'acme/small',
  modality: 'chat',
  provider: 'acme',
  upstreamModel: 'small',
  vendor: 'acme',
  canonicalName: 'acme/small',
  prices: [PRICE],
  ...row,
});
const file = (...rows: unknown[]) => ({ name: 'acme.json', text: JSON.stringify(rows) });
const NOON = Date.parse('2026-09-01T12:00:00Z');

describe('loadCatalog', () => {
  it('reads absent facts as unknown or none', () => {
    const record = loadCatalog([file(chatRow())]).find('acme/small');
    expect(record).toMatchObject({
      description: null,
      supports: [],
      responsesOnly: false,
      dataPolicy: { retention: null, training: null },
    });
  });

  it.each<[string, unknown, string]>([
    ['a price per million', chatRow({ prices: [{ ...PRICE, tiers: [{ ...TIER, input: '2.5' }] }] }), 'input of 2.5 USD is more than 0.01'],
    ['a search price per thousand', chatRow({ prices: [{ ...PRICE, search: '10' }] }), 'search of 10 USD'],
    ['a price that is a float', chatRow({ prices: [{ ...PRICE, tiers: [{ ...TIER, input: 1e-7 }] }] } as never), 'prices.0'],
    ['a price with exponent', chatRow({ prices: [{ ...PRICE, tiers: [{ ...TIER, input: '1e-7' }] }] }), 'prices.0'],
    ['a negative price', chatRow({ prices: [{ ...PRICE, tiers: [{ ...TIER, output: '-0.1' }] }] }), 'prices.0'],
    ['an unknown field', { ...chatRow(), colour: 'red' }, 'Unrecognized key: "colour"'],
    ['tiers out of order', chatRow({ prices: [{ ...PRICE, tiers: [{ ...TIER, threshold: 9 }, TIER] }] }), 'tiers do not start at 0'],
    ['no price', chatRow({ prices: [] }), 'prices'],
    ['prices out of order', chatRow({ prices: [PRICE, { ...PRICE, version: 'b', validFrom: '2026-01-01' }] }), 'not in order'],
    ['a version used twice', chatRow({ prices: [PRICE, { ...PRICE, validFrom: '2026-09-01' }] }), 'same version'],
    ['chat priced by units', chatRow({ prices: [{ version: 'a', validFrom: '2026-08-22', units: { image: '1' } }] }), 'priced by tiers'],
    ['an image model priced by tiers', chatRow({ modality: 'image' }), 'priced by units'],
    [
      'a unit of another modality',
      chatRow({ modality: 'speech', prices: [{ version: 'a', validFrom: '2026-08-22', units: { image: '1' } }] }),
      'not priced by image',
    ],
    ['a file of another provider', chatRow({ provider: 'other' }), 'has a file of its own'],
    ['a row that is no object', 'acme', 'no id'],
  ])('refuses %s', (_what, row, problem) => {
    expect(() => loadCatalog([file(row)])).toThrow(problem);
  });

  it('names every problem of every file at once', () => {
    const files = [file(chatRow(), chatRow()), { name: 'broken.json', text: '[' }, { name: 'object.json', text: '{}' }];
    const load = () => loadCatalog([...files, file(chatRow({ id: 'no-slash' }))]);
    expect(load).toThrow('4 problem(s)');
    for (const part of ['two models of this id', 'broken.json: not JSON', 'object.json: not an array', '(no-slash): id:']) {
      expect(load).toThrow(part);
    }
  });
});

describe('ModelCatalog', () => {
  const changed = chatRow({
    prices: [
      { version: 'one', validFrom: '2026-08-22', tiers: [TIER] },
      { version: 'two', validFrom: '2026-09-02', tiers: [{ threshold: 0, input: '0', output: '0' }] },
    ],
  });

  it('charges a dated price from its day on, without a restart, and still knows the old one', () => {
    let now = NOON;
    const catalog = loadCatalog([file(changed)], () => now);
    const [record] = catalog.list();
    if (record === undefined) throw new Error('no record');
    expect(catalog.priceSheet(record).version).toBe('one');
    expect(catalog.isFree(record)).toBe(false);
    now = Date.parse('2026-09-02T00:00:00Z');
    expect(catalog.priceSheet(record).version).toBe('two');
    expect(catalog.isFree(record)).toBe(true);
    expect(catalog.findPriceSheet(record, 'one')).toMatchObject({ version: 'one', tiers: [{ input: '0.000001' }] });
    expect(catalog.findPriceSheet(record, 'three')).toBeUndefined();
  });

  it('fills prices that a provider does not state: cached as input, a longer cache as the shorter one', () => {
    const tiers = [
      { threshold: 0, input: '0.1', output: '0.4' },
      { threshold: 10, input: '0.1', output: '0.4', cachedRead: '0.01', cacheWrite: '0.12' },
      { threshold: 20, input: '0.1', output: '0.4', cacheWrite: '0.12', cacheWrite5m: '0.13', cacheWrite1h: '0.2' },
    ].map((tier) => JSON.parse(JSON.stringify(tier).replaceAll('"0.', '"0.0000')));
    const catalog = loadCatalog([file(chatRow({ prices: [{ ...PRICE, tiers, search: '0.01' }] }))]);
    const record = catalog.list()[0];
    if (record === undefined) throw new Error('no record');
    expect(catalog.priceSheet(record)).toEqual({
      kind: 'chat',
      version: '2026-08-22',
      search: '0.01',
      tiers: [
        { threshold: 0, input: '0.00001', output: '0.00004', cachedRead: '0.00001', cacheWrite5m: '0.00001', cacheWrite1h: '0.00001' },
        { threshold: 10, input: '0.00001', output: '0.00004', cachedRead: '0.000001', cacheWrite5m: '0.000012', cacheWrite1h: '0.000012' },
        { threshold: 20, input: '0.00001', output: '0.00004', cachedRead: '0.00001', cacheWrite5m: '0.000013', cacheWrite1h: '0.00002' },
      ],
    });
    expect(catalog.priceSheet(record)).toBe(catalog.priceSheet(record));
  });

  it('calls a model free only when every price is zero', () => {
    const zero = { threshold: 0, input: '0', output: '0.0' };
    const isFree = (price: object) => {
      const catalog = loadCatalog([file(chatRow({ prices: [{ ...PRICE, ...price }] }))]);
      return catalog.list().map(catalog.isFree)[0];
    };
    expect(isFree({ tiers: [zero] })).toBe(true);
    expect(isFree({ tiers: [zero, { ...TIER, threshold: 5 }] })).toBe(false);
    expect(isFree({ tiers: [{ ...zero, cacheWrite1h: '0.000001' }] })).toBe(false);
    expect(isFree({ tiers: [zero], search: '0.01' })).toBe(false);
  });

  describe('region suffix', () => {
    const catalog = loadCatalog([
      file(
        chatRow({ id: 'cloud/acme/small' }),
        chatRow({ id: 'cloud-eu/acme/small', geolocation: 'EU', region: 'eu-west-1' }),
        chatRow({ id: 'cloud-us/acme/twin', geolocation: 'US' }),
        chatRow({ id: 'cloud-us/other/twin', geolocation: 'US' }),
        chatRow({ id: 'acme-eu/acme/small', geolocation: 'EU' }),
        chatRow({ id: 'acme-eu/acme/small-20250101', geolocation: 'EU' }),
        chatRow({ id: 'acme-eu/acme/large-20250101', geolocation: 'EU' }),
        chatRow({ id: 'acme-eu/acme/huge-20250101', geolocation: 'EU' }),
        chatRow({ id: 'acme-eu/acme/huge-20260101', geolocation: 'EU' }),
      ),
    ]);
    it.each([
      ['acme/large@eu', 'acme-eu/acme/large-20250101'],
      ['acme/small-20250101@eu', 'acme-eu/acme/small-20250101'],
      ['cloud/acme/small@eu', 'cloud-eu/acme/small'],
      ['cloud/acme/small@eu-west-1', 'cloud-eu/acme/small'],
      ['cloud/small@eu', 'cloud-eu/acme/small'],
      ['acme/small@eu', 'acme-eu/acme/small'],
      ['cloud/acme/twin@us', 'cloud-us/acme/twin'],
      ['cloud-eu/acme/small', 'cloud-eu/acme/small'],
    ])('%s is %s', (id, expected) => {
      expect(catalog.find(id)?.id).toBe(expected);
    });
    it.each([
      ['another region of the same continent', 'cloud/acme/small@eu-central-1'],
      ['a region without the model', 'cloud/acme/small@us'],
      ['a short name that fits two models', 'cloud/twin@us'],
      ['a name without its date that fits two models', 'acme/huge@eu'],
      ['an empty region', 'cloud/acme/small@'],
      ['an object property', '__proto__'],
    ])('%s is not found', (_what, id) => {
      expect(catalog.find(id)).toBeUndefined();
    });
  });
});

describe('twins of an operator’s own models', () => {
  it('are made only of ids that begin with the provider, as a whole word', () => {
    const ids = ['openai/acme/one', 'openai-eu/acme/one', 'cloud/acme/one', 'cloud-us/acme/one', 'openaix/acme/one'];
    const rows = ids.map((id) => chatRow({ id, provider: 'openai', canonicalName: 'acme/one' }));
    const catalog = loadCatalog([{ name: 'openai.json', text: JSON.stringify(rows) }]);
    const listed = catalog.list().map(({ id }) => id);
    expect(listed.filter((id) => id.startsWith('openai-responses'))).toEqual(['openai-responses-eu/acme/one', 'openai-responses/acme/one']);
  });
});
