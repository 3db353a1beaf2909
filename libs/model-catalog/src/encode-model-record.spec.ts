import { encodeModelList, encodeModelRecord } from './encode-model-record';
import { loadCatalog } from './load-catalog';
import type { ModelRow } from './model-record.schema';

const base = { provider: 'acme', upstreamModel: 'x', vendor: 'acme', canonicalName: 'acme/x' };
const dated = { version: '2026-08-22', validFrom: '2026-08-22' };
const encode = (row: ModelRow): Record<string, unknown> => {
  const record = loadCatalog([{ name: 'acme.json', text: JSON.stringify([row]) }]).list()[0];
  if (record === undefined) throw new Error('no record');
  return JSON.parse(encodeModelRecord(record)) as Record<string, unknown>;
};

describe('encodeModelRecord', () => {
  it('writes a chat model as specified, with tiers and the flat prices of the first one', () => {
    const public_ = encode({
      ...base,
      id: 'acme/x',
      modality: 'chat',
      lab: 'Acme',
      created: 1_700_000_000,
      updated: 1_700_000_001,
      retires: 1_800_000_000,
      contextWindow: 1_000,
      maxOutputTokens: 100,
      supports: ['caching', 'tool_calling'],
      dataPolicy: { retention: false, retentionDays: 0, training: false, comments: 'None.' },
      geolocation: 'EU',
      openWeights: true,
      prices: [
        {
          ...dated,
          tiers: [
            { threshold: 0, input: '0.00000015', output: '0.0000006', cachedRead: '0.000000075', cacheWrite: '0.0000002' },
            { threshold: 200_000, input: '0.0000003', output: '0.0000012' },
          ],
        },
      ],
    });
    expect(public_).toEqual({
      id: 'acme/x',
      object: 'model',
      api: 'chat',
      description: 'unknown',
      created: 1_700_000_000,
      updated: 1_700_000_001,
      owned_by: 'acme',
      data_retention: false,
      data_retention_days: 0,
      data_used_for_training: false,
      privacy_comments: 'None.',
      geolocation: 'EU',
      open_weights: true,
      model_lab: 'Acme',
      model_canonical_name: 'acme/x',
      retires: 1_800_000_000,
      context_window: 1_000,
      max_output_tokens: 100,
      supports_caching: true,
      supports_vision: false,
      supports_computer_use: false,
      supports_reasoning: false,
      supports_image_generation: false,
      supports_tool_calling: true,
      supports_role_developer: false,
      supports_web_search: false,
      supports_output_json_object: false,
      supports_output_json_schema: false,
      pricing: [
        {
          prompt_tokens_threshold: 0,
          input_price: 1.5e-7,
          caching_price: 2e-7,
          caching_5m_price: 2e-7,
          caching_1h_price: 2e-7,
          cached_price: 7.5e-8,
          output_price: 6e-7,
        },
        {
          prompt_tokens_threshold: 200_000,
          input_price: 3e-7,
          caching_price: 3e-7,
          caching_5m_price: 3e-7,
          caching_1h_price: 3e-7,
          cached_price: 3e-7,
          output_price: 1.2e-6,
        },
      ],
      input_price: 1.5e-7,
      output_price: 6e-7,
      cached_price: 7.5e-8,
      caching_price: 2e-7,
    });
  });

  it('leaves out what no one states, and shows the discount of the price in force', () => {
    const units = { ...dated, units: { image: '0.04' } };
    const plain = encode({ ...base, id: 'acme/x', modality: 'image', prices: [units] });
    const discounted = encode({ ...base, id: 'acme/x', modality: 'image', prices: [{ ...units, discountPercentage: 12.5 }] });

    const texts = ['description', 'geolocation', 'privacy_comments'];
    expect(Object.keys(plain).sort()).toEqual(
      ['api', 'created', 'id', 'model_canonical_name', 'object', 'owned_by', 'pricing', 'pricing_units', 'updated'].concat(texts).sort(),
    );
    for (const name of texts) expect(plain).toHaveProperty(name, 'unknown');
    expect(discounted).toEqual({ ...plain, discount_percentage: 12.5 });
  });

  it('dates a model of unknown release by the day it was first listed', () => {
    const row: ModelRow = { ...base, id: 'acme/x', modality: 'image', prices: [{ ...dated, units: { image: '0.04' } }] };
    expect(encode(row)).toMatchObject({ created: Date.parse('2026-08-22') / 1_000, updated: Date.parse('2026-08-22') / 1_000 });
  });

  it.each<[string, Partial<ModelRow>, string]>([
    ['that has not come', { created: Date.parse('2027-01-11') / 1_000, updated: Date.parse('2026-03-17') / 1_000 }, '2026-08-22'],
    ['behind its last update', { created: Date.parse('2026-07-01') / 1_000, updated: Date.parse('2026-03-17') / 1_000 }, '2026-07-01'],
  ])('believes no release date %s', (_, dates, day) => {
    const row: ModelRow = { ...base, ...dates, id: 'acme/x', modality: 'image', prices: [{ ...dated, units: { image: '0.04' } }] };
    expect(encode(row)).toMatchObject({ created: Date.parse(day) / 1_000, updated: Date.parse(day) / 1_000 });
  });

  it.each<[ModelRow['modality'], Record<string, string>, object]>([
    [
      'embedding',
      { input_token: '0.1', input_image: '0.2' },
      { pricing: { input_text: 0.001, input_image: 0.002 }, pricing_units: { input_image: 'image' } },
    ],
    ['image', { input_token: '0.1', output_image_token: '0.2' }, { pricing: { input_text: 0.001, output_image: 0.002 } }],
    ['image', { image: '4', 'image:hd:9x9': '5' }, { pricing: { output_image: 0.04 }, pricing_units: { output_image: 'image' } }],
    ['speech', { character: '0.1' }, { pricing: { input_character: 0.001 } }],
    ['transcription', { second: '0.1' }, { pricing: { input_second: 0.001 } }],
    ['transcription', { input_token: '0.1', output_token: '0.2' }, { pricing: { input_token: 0.001, output_token: 0.002 } }],
  ])('names the prices of %s models as specified', (modality, cents, expected) => {
    const units = Object.fromEntries(Object.entries(cents).map(([unit, text]) => [unit, String(Number(text) / 100)]));
    const { pricing, pricing_units } = encode({ ...base, id: 'acme/x', modality, prices: [{ ...dated, units }] });
    expect(pricing_units === undefined ? { pricing } : { pricing, pricing_units }).toEqual(expected);
  });
});

describe('encodeModelList', () => {
  it('wraps the records of its models, in their order', () => {
    const rows = ['acme/b', 'acme/a'].map((id) => ({ ...base, id, modality: 'speech', prices: [{ ...dated, units: { character: '0' } }] }));
    const catalog = loadCatalog([{ name: 'acme.json', text: JSON.stringify(rows) }]);
    const list = JSON.parse(encodeModelList(catalog.list('speech'))) as { object: string; data: { id: string }[] };
    expect(list.object).toBe('list');
    expect(list.data.map(({ id }) => id)).toEqual(['acme/a', 'acme/b']);
    expect(encodeModelList(catalog.list('chat'))).toBe('{"object":"list","data":[]}');
  });
});
