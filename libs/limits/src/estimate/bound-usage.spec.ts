import { NO_USAGE, promptTokens, withoutAside, type Usage } from '@weir/canonical';
import type { PriceSheet } from '@weir/contracts';
import fc from 'fast-check';
import { boundPrompt, boundRequest, boundSearches } from './bound-request';
import { boundChatUsage, boundEmbeddingTokens, type ChatMost } from './bound-usage';
import { measurePrompt } from './measure-prompt';
import { readAskedOutput } from './read-asked-output';

const WINDOW = 128_000;
const MODEL: ChatMost['model'] = { contextWindow: WINDOW, maxOutputTokens: 4_096, isReasoning: false, isSearching: false };
const measured = (json: Record<string, unknown>) => measurePrompt(json, Buffer.byteLength(JSON.stringify(json)));
const mostOf = (json: Record<string, unknown>, model: Partial<ChatMost['model']> = {}): ChatMost => ({
  prompt: () => measured(json),
  asked: () => readAskedOutput(json, 'chat-completions'),
  model: { ...MODEL, ...model },
});
const usageOf = (changes: Partial<Usage>): Usage => ({ ...NO_USAGE, ...changes });
const saying = (text: string, more: object = {}) => ({ messages: [{ role: 'user', content: text }], ...more });
const holding = (...parts: readonly object[]) => ({ messages: [{ role: 'user', content: parts }] });
const RECEIVED = 400;

describe('the usage that a provider reported of a chat', () => {
  it('keeps the counts of the conversation where what was made beside it is more than can be charged', () => {
    const aside = usageOf({ inputUncached: 5_000, output: 900 });
    const bounded = boundChatUsage(
      usageOf({ inputUncached: 5_100, output: 910, aside }),
      mostOf(saying('hi', { max_tokens: 16 })),
      RECEIVED,
    );
    expect(promptTokens(bounded)).toBeLessThan(5_100);
    expect(withoutAside(bounded)).toMatchObject({ inputUncached: 100, output: 10 });
  });

  it.each<[string, Record<string, unknown>, Partial<ChatMost['model']>, Partial<Usage>]>([
    ['within its maximum', saying('hi', { max_tokens: 16 }), {}, { inputUncached: 300, output: 16 }],
    ['within the maximum of all choices', saying('hi', { max_tokens: 16, n: 3 }), {}, { output: 48 }],
    ['of a maximum above what the catalogue knows of the model', saying('hi', { max_tokens: 9_000 }), {}, { output: 9_000 }],
    ['of no more than twice the bytes that came', saying('hi'), {}, { output: 800 }],
    ['of a model that reasons unseen', saying('hi'), { isReasoning: true }, { output: 4_096 }],
    ['that says it has reasoned', saying('hi'), {}, { output: 4_000, reasoning: 3_900 }],
    ['of a model of unknown length that reasons', saying('hi'), { isReasoning: true, maxOutputTokens: null }, { output: 128_000 }],
    ['of a prompt of as many tokens as bytes', saying('x'.repeat(5_000)), {}, { cacheRead: 5_000 }],
    ['with tools and their template', saying('hi', { tools: [{ type: 'function' }] }), {}, { inputUncached: 1_100 }],
    ['with a schema and its template', saying('hi', { response_format: {} }), {}, { inputUncached: 500 }],
    [
      'of a picture behind an address',
      holding({ type: 'image_url', image_url: { url: 'https://a.example' } }),
      {},
      { inputUncached: 50_000 },
    ],
    ['of a file kept elsewhere', holding({ type: 'file', file: { file_id: 'f' } }), {}, { inputUncached: WINDOW }],
    ['of a conversation kept elsewhere', { input: 'hi', previous_response_id: 'r' }, {}, { cacheRead: WINDOW }],
    [
      'of many turns with tools of the provider',
      saying('hi', { tools: [{ type: 'web_search' }] }),
      {},
      { inputUncached: 2_000_000, searches: 20, output: 4_000 },
    ],
    [
      'with searches no one asked for of a model that always searches',
      saying('hi'),
      { isSearching: true },
      { inputUncached: 9_000, searches: 3 },
    ],
    ['of a prompt that is shortened on the way', saying('hi', { context_management: {} }), {}, { inputUncached: 2 * WINDOW }],
    [
      'with a summary beside a short reply',
      saying('hi', { context_management: { edits: [{ type: 'compact_20260112' }] }, max_tokens: 16 }),
      {},
      { output: 16 + 4_096, inputUncached: WINDOW },
    ],
    ['with a summary beside a reply without a limit', saying('hi', { context_management: {} }), {}, { output: 2 * 4_096 }],
    ['with what another model wrote first', saying('hi', { fallbacks: [{}], max_tokens: 9_000 }), {}, { output: 2 * 9_000 }],
    ['with choices that are not the best', saying('hi', { n: 1, best_of: 5 }), {}, { output: 5 * 4_096 }],
    ['with a prediction that did not hold', saying('hi', { prediction: { type: 'content', content: 'x' } }), {}, { output: 4_096 }],
    ['of the least that some providers can be asked for', saying('hi', { max_tokens: 1 }), {}, { output: 16 }],
    ['of items the provider stored', { input: [{ type: 'reasoning', id: 'rs_1', summary: [] }] }, {}, { inputUncached: WINDOW }],
  ])('stands as it is: %s', (_, json, model, changes) => {
    const reported = usageOf(changes);
    expect(boundChatUsage(reported, mostOf(json, model), RECEIVED)).toBe(reported);
  });

  it.each<[string, Record<string, unknown>, Partial<Usage>, Partial<Usage>]>([
    ['output above the maximum', saying('hi', { max_tokens: 16 }), { output: 1_000_000 }, { output: 16 }],
    ['reasoning above the maximum', saying('hi', { max_tokens: 16 }), { output: 90, reasoning: 80 }, { output: 16, reasoning: 16 }],
    ['output above what all choices may have', saying('hi', { max_tokens: 16, n: 3 }), { output: 49 }, { output: 48 }],
    ['output above twice the bytes that came', saying('hi'), { output: 801 }, { output: 800 }],
    ['unseen reasoning above what the model can', saying('hi'), { output: 4_097, reasoning: 4_000 }, { output: 4_096, reasoning: 4_000 }],
    [
      'output above the reply and a summary',
      saying('hi', { context_management: {}, max_tokens: 16 }),
      { output: 9_000 },
      { output: 16 + 4_096 },
    ],
    ['output of which no better answer was asked for', saying('hi', { n: 5, best_of: 5 }), { output: 801 }, { output: 800 }],
    ['output without a prediction', saying('hi', { prediction: null }), { output: 801 }, { output: 800 }],
    ['searches that were not asked for', saying('hi'), { searches: 1 }, { searches: 0 }],
    ['searches above their allowance', saying('', { tools: [{ type: 'web_search', max_uses: 2 }] }), { searches: 9 }, { searches: 2 }],
  ])('is cut: %s', (_, json, changes, charged) => {
    const reported = usageOf({ inputUncached: 12, ...changes });
    expect(boundChatUsage(reported, mostOf(json), RECEIVED)).toEqual({ ...reported, ...charged, source: 'estimate' });
  });

  it('is cut to as many prompt tokens as the request explains, in proportion', () => {
    const json = saying('hi');
    const { textTokens } = measured(json);
    const cut = boundChatUsage(usageOf({ inputUncached: 1_000, cacheRead: 3_000, audioInput: 1_000 }), mostOf(json), RECEIVED);
    expect(promptTokens(cut)).toBe(textTokens);
    expect(cut).toMatchObject({ cacheRead: Math.floor(textTokens * 0.75), audioInput: cut.inputUncached, source: 'estimate' });
  });

  it('is never above what is set aside for the request, where no tool of the provider reads more', () => {
    const count = fc.nat({ max: 2 ** 30 });
    const reported = fc.record({
      inputUncached: count,
      cacheRead: count,
      cacheWrite5m: count,
      output: count,
      reasoning: count,
      searches: count,
    });
    const more = fc.constantFrom<{ best_of?: number; fallbacks?: object[] }>({}, { best_of: 4 }, { fallbacks: [{}] });
    const asked = fc.record({ text: fc.string({ maxLength: 3_000 }), max: fc.nat(9_000), n: fc.integer({ min: 1, max: 9 }), more });
    fc.assert(
      fc.property(reported, asked, (counts, { text, max, n, more }) => {
        const json = saying(text, { max_tokens: max, n, ...more });
        const most = mostOf(json);
        const prices: PriceSheet = { kind: 'chat', version: 'v', tiers: [] };
        const held = boundRequest({ modality: 'chat', prompt: most.prompt(), asked: most.asked(), attempts: [{ ...MODEL, prices }] });
        const cut = boundChatUsage(usageOf(counts), most, RECEIVED);
        const furtherWindow = 'fallbacks' in more ? WINDOW : 0;
        expect(promptTokens(cut)).toBeLessThanOrEqual(boundPrompt(most.prompt(), most.model) + furtherWindow);
        expect(cut.output).toBeLessThanOrEqual(held.bounds[0]?.outputTokens ?? 0);
        if (!('fallbacks' in more)) expect(cut.output).toBeLessThanOrEqual(Math.max(16, max) * Math.max(n, more.best_of ?? 1));
        expect(cut.reasoning).toBeLessThanOrEqual(cut === counts ? counts.reasoning : Math.max(cut.output, counts.reasoning));
        expect(cut.searches).toBeLessThanOrEqual(boundSearches(most.prompt(), most.model));
      }),
    );
  });

  it('measures no prompt where the counts are small', () => {
    const most = { ...mostOf({}), prompt: () => { throw new Error('measured'); } }; // prettier-ignore
    expect(boundChatUsage(usageOf({ inputUncached: 256, output: 16 }), most, RECEIVED).source).toBe('provider');
  });
});

it('tokens of embeddings are cut to the bytes that were sent and the template', () => {
  const most = measured({ model: 'm', input: 'nine byte' });
  expect(boundEmbeddingTokens(200, most)).toBe(200);
  expect(boundEmbeddingTokens(5_000, most)).toBe(most.textTokens);
  expect(most.textTokens).toBeLessThan(300);
});
