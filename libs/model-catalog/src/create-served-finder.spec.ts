import { createBuiltInCatalog } from './built-in-catalog';
import { createServedFinder } from './create-served-finder';
import type { ModelRecord } from './model-record.schema';

const catalog = createBuiltInCatalog();
const findServed = createServedFinder(catalog);

const askedFor = ({ id, provider, upstreamModel, region }: ModelRecord) => ({
  modelId: id,
  providerId: provider,
  upstreamModel,
  region: region ?? null,
});

function served(id: string, reported: string): string | undefined {
  const record = catalog.find(id);
  if (record === undefined) throw new Error(`${id} is in no catalogue`);
  return findServed(askedFor(record), reported)?.id;
}

describe('the model that a reply names', () => {
  it.each([
    ['openai/gpt-4o', 'gpt-4o'],
    ['openai/gpt-4o', 'openai/gpt-4o'],
    ['openai/gpt-4o', 'gpt-4o-2024-08-06'],
    ['openai/gpt-4o-2024-08-06', 'gpt-4o'],
    ['anthropic/claude-haiku-4-5', 'claude-haiku-4-5-20251001'],
    ['google/gemini-2.5-flash', 'models/gemini-2.5-flash-preview-09-2025'],
    ['mistral/mistral-large-latest', 'mistral-large-2512'],
    ['bedrock/anthropic/claude-opus-4-5-20251101', 'us.anthropic.claude-opus-4-5-20251101-v1:0'],
    ['groq/meta/llama-3.3-70b-versatile', 'Llama-3.3-70B-Versatile'],
    ['openai/gpt-4o', 'a model of nowhere'],
    ['openai/gpt-4o', ''],
    ['openai/gpt-4o', 'gpt-4o-mini'.repeat(50)],
    ['openai/text-embedding-3-small', 'gpt-4o'],
  ])('is that which %s asks for, or none: %s', (id, reported) => {
    expect(served(id, reported)).toBeUndefined();
  });

  it.each([
    ['openai/gpt-4o-mini', 'gpt-4o', 'openai/gpt-4o'],
    ['openai/gpt-4o-mini', 'gpt-4o-2024-05-13', 'openai/gpt-4o-2024-05-13'],
    ['openai/gpt-4o-2024-08-06', 'gpt-4o-2024-05-13', 'openai/gpt-4o-2024-05-13'],
    ['openai/gpt-4o', 'gpt-4o-mini-2099-01-01', 'openai/gpt-4o-mini'],
    ['openai/gpt-4o', 'GPT-4.1', 'openai/gpt-4.1'],
    ['openai-responses/gpt-4o', 'gpt-4.1', 'openai-responses/gpt-4.1'],
    ['anthropic/claude-haiku-4-5', 'claude-opus-4-8', 'anthropic/claude-opus-4-8'],
    ['anthropic/claude-opus-4-5', 'claude-opus-4-6', 'anthropic/claude-opus-4-6'],
    ['openai/text-embedding-3-small', 'text-embedding-3-large', 'openai/text-embedding-3-large'],
  ])('is another one than %s asks for: %s', (id, reported, expected) => {
    expect(served(id, reported)).toBe(expected);
  });

  it('is never another one where a provider names its models as it is asked for them', () => {
    for (const record of catalog.list()) {
      expect([record.id, findServed(askedFor(record), record.upstreamModel)]).toEqual([record.id, undefined]);
      expect([record.id, findServed(askedFor(record), record.id)]).toEqual([record.id, undefined]);
    }
  });

  it('is found of every two models of a provider that are no snapshots of each other, and of no others', () => {
    const records = catalog.list('chat').filter(({ provider }) => ['openai', 'anthropic', 'mistral', 'openrouter'].includes(provider));
    const missed: string[] = [];
    for (const asked of records) {
      for (const other of records.filter(({ provider }) => provider === asked.provider)) {
        const [one, two] = [asked.upstreamModel, other.upstreamModel];
        const isRelated = one.startsWith(two) || two.startsWith(one) || [one, two].some((name) => name.endsWith('-latest'));
        const found = findServed(askedFor(asked), two);
        if (found === undefined ? !isRelated : found.upstreamModel !== two) missed.push(`${asked.id}: ${two}`);
      }
    }
    expect(missed).toEqual([]);
  });

  it('is looked for in the catalogue that is in force', () => {
    let rows: readonly ModelRecord[] = catalog.list().filter(({ id }) => id !== 'openai/gpt-4o');
    let version = {};
    const find = createServedFinder({ list: () => rows, version: () => version, recall: catalog.recall });
    const asked = askedFor(catalog.find('openai/gpt-4o-mini') as ModelRecord);
    expect(find(asked, 'gpt-4o')).toBeUndefined();
    rows = catalog.list();
    version = {};
    expect(find(asked, 'gpt-4o')?.id).toBe('openai/gpt-4o');
  });
});
