import { filterModels, findProvider, listFeatures, listValues, type Model } from './filter-models';
import { listPrices } from './list-prices';
import { readModelsSearch, toggleCompared } from './models-search';
import { listSnippets } from './snippets';

const model = (id: string, more: Partial<Model> = {}): Model =>
  ({ id, object: 'model', api: 'chat', owned_by: 'x', pricing: [], ...more }) as Model;

const MODELS = [
  model('b/two', { api: 'image', geolocation: 'EU', data_retention: false }),
  model('a/one', { supports_vision: true, input_price: 2e-6, context_window: 10, family: 'Big', data_retention: true }),
  model('policy/best', { owned_by: 'weir', input_price: 1e-7, context_window: 20 }),
];

describe('models', () => {
  it.each([
    [{}, ['a/one', 'b/two', 'policy/best']],
    [{ q: ' BIG one ' }, ['a/one']],
    [{ modality: 'image' }, ['b/two']],
    [{ provider: 'weir' }, ['policy/best']],
    [{ region: 'EU' }, ['b/two']],
    [{ retention: 'none' }, ['b/two']],
    [{ retention: 'unstated' }, ['policy/best']],
    [{ feature: ['Vision'] }, ['a/one']],
    [{ feature: ['Vision', 'Tools'] }, []],
    [{ sort: 'input' }, ['policy/best', 'a/one', 'b/two']],
    [{ sort: 'context' }, ['policy/best', 'a/one', 'b/two']],
  ])('by %j are %j', (search, ids) => {
    expect(filterModels(MODELS, readModelsSearch(search)).map(({ id }) => id)).toEqual(ids);
  });

  it('say who provides them, what they can and what there is to choose', () => {
    expect(MODELS.map(findProvider)).toEqual(['b', 'a', 'weir']);
    expect(findProvider(model('an-alias', { owned_by: 'organization' }))).toBe('organization');
    expect(listFeatures(model('a', { supports_vision: true, supports_caching: false }))).toEqual(['Vision']);
    expect(listValues(MODELS, ({ geolocation }) => geolocation)).toEqual(['EU']);
  });

  it('are compared four at a time', () => {
    const full = readModelsSearch({ compare: ['a', 'b', 'c', 'd', 'e'], sort: 'size', q: '' });
    expect(full).toEqual({ compare: ['a', 'b', 'c', 'd'] });
    expect(toggleCompared(full, 'e')).toEqual(full);
    expect(toggleCompared(full, 'b')).toEqual({ compare: ['a', 'c', 'd'] });
    expect(toggleCompared({ compare: ['a'] }, 'a')).toEqual({});
  });
});

describe('prices', () => {
  const tier = {
    input_price: 1.5e-7,
    output_price: 6e-7,
    cached_price: 7.5e-8,
    caching_price: 0,
    caching_5m_price: 0,
    caching_1h_price: 0,
  };

  it('are of a million tokens, tier by tier', () => {
    const [short, long] = listPrices({
      pricing: [
        { ...tier, prompt_tokens_threshold: 0 },
        { ...tier, prompt_tokens_threshold: 200_000 },
      ],
    });
    expect(short?.from).toBe('Prompts up to 200,000 tokens');
    expect(short?.prices.slice(0, 3)).toEqual([
      { name: 'Input', amount: '$0.15', per: 'M tokens' },
      { name: 'Output', amount: '$0.60', per: 'M tokens' },
      { name: 'Cached input', amount: '$0.075', per: 'M tokens' },
    ]);
    expect(long?.from).toBe('Prompts above 200,000 tokens');
    expect(listPrices({ pricing: [{ ...tier, prompt_tokens_threshold: 0 }] })[0]?.from).toBeNull();
  });

  it('are of what is counted', () => {
    const pricing = { output_image: 0.04, input_second: 0.0001, input_character: 0.000015, input_token: 6e-7 };
    expect(
      listPrices({ pricing, pricing_units: { output_image: 'image' } })[0]?.prices.map(({ amount, per }) => `${amount} per ${per}`),
    ).toEqual(['$0.04 per image', '$0.0001 per second', '$15.00 per M characters', '$0.60 per M tokens']);
  });
});

describe('snippets', () => {
  it('hold the address, the model and never a key', () => {
    const snippets = listSnippets({ model: 'sandbox/chat', api: 'chat', origin: 'https://weir.example/' });
    expect(snippets.map(({ id }) => id)).toEqual([
      'curl',
      'openai-python',
      'openai',
      'anthropic',
      'ai-sdk',
      'langchain',
      'claude-code',
      'codex',
    ]);
    for (const { text } of snippets) {
      expect(text).toContain('sandbox/chat');
      expect(text).toContain('https://weir.example');
      expect(text).not.toContain('example//');
      expect(text).toContain('YOUR_WEIR_KEY');
    }
    expect(snippets.find(({ id }) => id === 'anthropic')?.text).not.toContain('/v1');
  });

  it.each(['embedding', 'image', 'speech', 'transcription'])('of %s name its own endpoint', (api) => {
    const [curl, ...others] = listSnippets({ model: 'a/b', api, origin: 'http://h' });
    expect(curl?.text).toMatch(/^curl http:\/\/h\/v1\/(embeddings|images|audio)/);
    expect(others).toHaveLength(2);
  });

  it('quote what a name may hold', () => {
    const texts = listSnippets({ model: `it's "x"`, api: 'chat', origin: 'http://h' }).map(({ text }) => text);
    expect(texts[0]).toContain(`'{"model":"it'\\''s \\"x\\"","messages"`);
    expect(texts[2]).toContain(`model: 'it\\'s "x"',`);
  });
});
