import { createBuiltInCatalog } from './built-in-catalog';
import { loadCatalog } from './load-catalog';

const row = (id: string, search?: string, more: object = {}) => ({
  id,
  modality: 'chat',
  provider: id.split('/')[0] ?? '',
  upstreamModel: id,
  vendor: 'acme',
  canonicalName: id,
  supports: ['web_search'],
  prices: [
    {
      version: 'v',
      validFrom: '2026-01-01',
      tiers: [{ threshold: 0, input: '0.000001', output: '0.000002' }],
      ...(search === undefined ? {} : { search }),
    },
  ],
  ...more,
});
const searchOf = (rows: readonly ReturnType<typeof row>[], id: string) => {
  const files = new Map<string, object[]>();
  for (const each of rows) files.set(each.provider, [...(files.get(each.provider) ?? []), each]);
  const catalog = loadCatalog([...files].map(([provider, some]) => ({ name: `${provider}.json`, text: JSON.stringify(some) })));
  const record = catalog.find(id);
  if (record === undefined) throw new Error(`no ${id}`);
  const sheet = catalog.priceSheet(record);
  return [sheet.kind === 'chat' ? sheet.search : undefined, catalog.facts(record).supportsWebSearch];
};

describe('what a web search costs where no one states it', () => {
  const stated = [row('acme/a', '0.01'), row('acme/b', '0.01'), row('acme/c', '0.03'), row('other/d', '0.5')];

  it('is what the same model without a date costs, else what is usual at the provider', () => {
    expect(searchOf([...stated, row('acme/c-2026-01-01')], 'acme/c-2026-01-01')).toEqual(['0.03', true]);
    expect(searchOf([...stated, row('acme/e')], 'acme/e')).toEqual(['0.01', true]);
    expect(searchOf(stated, 'acme/c')).toEqual(['0.03', true]);
  });

  it('is nothing that anybody could charge where the provider states none: search is not offered then', () => {
    expect(searchOf([...stated, row('third/x')], 'third/x')).toEqual([undefined, false]);
    expect(searchOf([...stated, row('acme/y', undefined, { supports: [] })], 'acme/y')).toEqual([undefined, false]);
  });
});

it('no model of the catalogue offers a search that costs nothing, but for free models', () => {
  const catalog = createBuiltInCatalog();
  const offered = catalog.list('chat').filter((record) => catalog.facts(record).supportsWebSearch && !catalog.isFree(record));

  expect(offered.length).toBeGreaterThan(200);
  for (const record of offered) {
    const sheet = catalog.priceSheet(record);
    expect([record.id, sheet.kind === 'chat' && Number(sheet.search) > 0]).toEqual([record.id, true]);
  }
});
