import { createModelGuard } from '@weir/access';
import { createPatternMatcher, loadCatalog } from '@weir/model-catalog';
import { makeKeyRecord } from '@weir/testing';
import { asksForSearch, listSearchModels } from './list-search-models';

const row = (id: string, more: object = {}) => ({
  id,
  modality: 'chat',
  provider: id.split('/')[0],
  upstreamModel: id,
  vendor: 'acme',
  canonicalName: id,
  prices: [{ version: 'v', validFrom: '2026-01-01', tiers: [{ threshold: 0, input: '0.000001', output: '0.000002' }], search: '0.01' }],
  ...more,
});
const searching = { supports: ['web_search'] };
const rows = [
  row('bedrock/plain'),
  row('bedrock/named', searching),
  row('google/search', { ...searching, vendor: 'other' }),
  row('anthropic/search', searching),
  row('anthropic/silent'),
  row('xai/search', searching),
  row('perplexity/search', searching),
  row('vertex/search', searching),
];
const catalog = loadCatalog(
  ['bedrock', 'google', 'anthropic', 'xai', 'perplexity', 'vertex'].map((name) => ({
    name: `${name}.json`,
    text: JSON.stringify(rows.filter(({ provider }) => provider === name)),
  })),
);
const find = (id: string) => catalog.find(id) ?? catalog.list()[0]!;

function list(chosen: string, keyAccessList: string[] | null = null): string[] {
  const lists = keyAccessList === null ? null : { ...{ embedding: [], image: [], speech: [], transcription: [] }, chat: keyAccessList };
  return listSearchModels(find(chosen), {
    principal: { key: makeKeyRecord({ keyAccessList: lists }) },
    guard: createModelGuard(createPatternMatcher),
    ruling: { map: { catalog, isRoutable: (provider) => provider !== 'vertex' }, checkRecord: () => undefined },
  });
}

describe('a request that searches the web', () => {
  it.each([
    [{ tools: [{ type: 'web_search' }] }, true],
    [{ tools: [{ type: 'function' }, { type: 'web_search_20250305', name: 'web_search' }] }, true],
    [{ tools: [{ type: 'web_search_preview' }] }, true],
    [{ web_search_options: {} }, true],
    [{ tools: [{ type: 'function' }, null, 7] }, false],
    [{ tools: 'web_search', web_search_options: null }, false],
    [{}, false],
  ])('is recognized by its tools: %j', (json, expected) => {
    expect(asksForSearch(json)).toBe(expected);
  });

  it('is given models that search, are set up here and allowed to the key; those of the same vendor first', () => {
    expect(list('bedrock/plain')).toEqual(['anthropic/search', 'perplexity/search']);
    expect(list('bedrock/named')).toEqual(['anthropic/search', 'perplexity/search']);
    expect(list('bedrock/plain', ['google/*'])).toEqual(['google/search']);
    expect(list('bedrock/plain', ['vertex/*', 'bedrock/*'])).toEqual([]);
  });

  it('needs none where the chosen model searches', () => {
    expect(list('google/search')).toEqual([]);
  });
});
