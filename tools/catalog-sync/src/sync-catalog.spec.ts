import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCatalog, type ModelRow } from '@weir/model-catalog';
import { syncCatalog } from './sync-catalog';

const NO_PRICES = { caching_price: null, caching_5m_price: null, caching_1h_price: null, cached_price: null };
/** As text, because the digits of the prices are what is tested. */
const modelsJson = (input: string) => `[
${JSON.stringify({
  ...{
    id: 'acme/big',
    api: 'chat',
    provider: 'acme',
    upstream_model: 'big-1',
    owned_by: 'acme',
    model_lab: 'Acme',
    created: 1_700_000_000,
  },
  ...{ model_canonical_name: 'acme/big', description: 'Our most delightful model ever', supports_vision: true, supports_caching: false },
  ...{ data_retention: true, data_retention_days: 30, privacy_comments: 'Words no one has put plainly.', context_window: 8_000 },
  pricing: [{ prompt_tokens_threshold: 0, input_price: 'INPUT', output_price: 'OUTPUT', ...NO_PRICES }],
})
  .replace('"INPUT"', input)
  .replace('"OUTPUT"', '0.0000000000000001')},
${JSON.stringify({
  ...{ id: 'host/acme/big', api: 'chat', provider: 'host-two', upstream_model: 'b', owned_by: 'acme', model_lab: 'Acme' },
  ...{ model_canonical_name: 'acme/big', description: 'Big 1 by Acme' },
  pricing: [{ prompt_tokens_threshold: 0, input_price: 0, output_price: 0, ...NO_PRICES }],
})},
${JSON.stringify({
  ...{ id: 'acme/paint', api: 'image', provider: 'acme', upstream_model: 'paint', owned_by: 'acme', model_canonical_name: 'acme/paint' },
  pricing: { input_text: null, output_image: 0.04 },
  pricing_units: { output_image: 'image' },
})}
]`;
const EXTRAS = {
  'acme/big': { input_modalities: ['text', 'image'], web_search_price_per_request: 0.01, no_temperature: true, price_sources: ['a'] },
  'acme/paint': { image_price_grid_usd: { default: { default: 0.04 }, hd: { default: 0.08, '9x9': 0.08, '8x8': 0.04 } } },
};

describe('syncCatalog', () => {
  let folder: string;
  let target: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'catalog-sync-'));
    target = join(folder, 'catalog');
    mkdirSync(join(target, 'src'), { recursive: true });
    mkdirSync(join(target, 'data', 'models'), { recursive: true });
    writeFileSync(join(target, 'data', 'models', 'own.json'), '[]\n');
    writeFileSync(join(folder, 'extras.json'), JSON.stringify(EXTRAS));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const sync = (input: string, asOf: string) => {
    writeFileSync(join(folder, 'models.json'), modelsJson(input));
    return syncCatalog({ source: folder, target, asOf });
  };
  const text = (name: string) => readFileSync(join(target, 'data', 'models', name), 'utf8');
  const rows = (name: string) => JSON.parse(text(name)) as ModelRow[];

  it('writes a file per provider, a model per line, with the digits of the source', () => {
    expect(sync('0.00000250', '2026-01-01')).toMatchObject({ models: 3, added: ['acme/big', 'host/acme/big', 'acme/paint'], repriced: [] });
    expect(text('acme.json').split('\n')).toHaveLength(5);
    expect(rows('acme.json')[0]).toEqual({
      ...{ id: 'acme/big', modality: 'chat', provider: 'acme', upstreamModel: 'big-1', vendor: 'acme', lab: 'Acme' },
      ...{ canonicalName: 'acme/big', created: 1_700_000_000, contextWindow: 8_000, supports: ['vision'], noTemperature: true },
      inputModalities: ['text', 'image'],
      dataPolicy: { retention: true, retentionDays: 30 },
      // Advertising is left behind; another record of the same model states a plain name.
      description: 'Big 1 by Acme',
      prices: [
        {
          version: '2026-01-01',
          validFrom: '2026-01-01',
          tiers: [{ threshold: 0, input: '0.00000250', output: '0.0000000000000001' }],
          search: '0.01',
        },
      ],
    });
    expect(rows('acme.json')[1]?.prices).toEqual([
      { version: '2026-01-01', validFrom: '2026-01-01', units: { image: '0.04', 'image:hd:9x9': '0.08' } },
    ]);
  });

  it('lists all data files in the address book, also those that have no source', () => {
    sync('0.0000025', '2026-01-01');
    expect(readFileSync(join(target, 'src', 'data-files.ts'), 'utf8')).toContain("[\n  'acme.json',\n  'host-two.json',\n  'own.json',\n]");
  });

  it('appends a changed price, and changes nothing when run again', () => {
    sync('0.0000025', '2026-01-01');
    expect(sync('0.000002', '2026-02-01').repriced).toEqual(['acme/big']);
    const after = text('acme.json');
    expect(sync('0.000002', '2026-03-01')).toMatchObject({ added: [], repriced: [] });
    expect(text('acme.json')).toBe(after);
    expect(rows('acme.json')[0]?.prices.map(({ version }) => version)).toEqual(['2026-01-01', '2026-02-01']);
  });

  it('keeps and reports models that the source no longer has, and statements no one has put plainly', () => {
    sync('0.0000025', '2026-01-01');
    const gone = { ...rows('acme.json')[0], id: 'acme/gone' };
    writeFileSync(join(target, 'data', 'models', 'acme.json'), JSON.stringify([gone]));
    const report = sync('0.0000025', '2026-01-01');
    expect(report.missing).toEqual(['acme/gone']);
    expect(report.unexplained).toEqual(['Words no one has put plainly.']);
    expect(rows('acme.json').map(({ id }) => id)).toEqual(['acme/big', 'acme/gone', 'acme/paint']);
  });

  it('writes nothing when a price cannot be right', () => {
    expect(() => sync('2.5', '2026-01-01')).toThrow('more than 0.01 USD');
    expect(() => text('acme.json')).toThrow('ENOENT');
    expect(() => sync('2.5e-7', '2026-01-01')).toThrow('not plain decimal digits');
  });

  it('writes what the catalogue loads', () => {
    sync('0.0000025', '2026-01-01');
    const files = ['acme.json', 'host-two.json'].map((name) => ({ name, text: text(name) }));
    expect(
      loadCatalog(files)
        .list()
        .map((record) => record.id),
    ).toEqual(['acme/big', 'acme/paint', 'host/acme/big']);
  });
});
