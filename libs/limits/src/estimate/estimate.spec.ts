import { isUnreadText, NO_USAGE, placeLongText, type Usage } from '@weir/canonical';
import type { ChatPriceSheet, UnitPriceSheet } from '@weir/contracts';
import { priceUnits, priceUsage } from '@weir/pricing';
import fc from 'fast-check';
import { boundRequest, CLAMPED_TOKENS_MIN, type BoundAttempt, type RequestFacts } from './bound-request';
import { measurePrompt } from './measure-prompt';
import { fitOutputTokens, priceBounds } from './amounts/price-bounds';
import { readAskedOutput } from './read-asked-output';

const price = fc.integer({ min: 0, max: 999_999 }).map((digits) => `0.${String(digits).padStart(9, '0')}`);
const tier = fc.record(
  { input: price, output: price, cachedRead: price, cacheWrite5m: price, cacheWrite1h: price, audioInput: price, audioOutput: price },
  { requiredKeys: ['input', 'output', 'cachedRead', 'cacheWrite5m', 'cacheWrite1h'] },
);
const anySheet = fc
  .tuple(fc.array(tier, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 50_000 }), price)
  .map(([tiers, step, search]): ChatPriceSheet => {
    return { kind: 'chat', version: 'v', search, tiers: tiers.map((row, index) => ({ ...row, threshold: index * step })) };
  });
const bounds = fc.record({ promptTokens: fc.nat(200_000), outputTokens: fc.nat(100_000), searches: fc.nat(20) });
/** Shares of the bounds, in parts of a thousand: any usage that stays within them. */
const shares = fc.array(fc.nat(1000), { minLength: 8, maxLength: 8 });

function useWithin(
  { promptTokens, outputTokens, searches }: { promptTokens: number; outputTokens: number; searches: number },
  parts: number[],
): Usage {
  const [all = 0, read = 0, short = 0, long = 0, out = 0, audioIn = 0, audioOut = 0, found = 0] = parts;
  const of = (total: number, part: number): number => Math.floor((total * part) / 1000);
  const prompt = of(promptTokens, all);
  const cacheRead = of(prompt, read);
  const cacheWrite5m = of(prompt - cacheRead, short);
  const cacheWrite1h = of(prompt - cacheRead - cacheWrite5m, long);
  const inputUncached = prompt - cacheRead - cacheWrite5m - cacheWrite1h;
  const output = of(outputTokens, out);
  return {
    ...NO_USAGE,
    inputUncached,
    cacheRead,
    cacheWrite5m,
    cacheWrite1h,
    output,
    audioInput: of(inputUncached, audioIn),
    audioOutput: of(output, audioOut),
    searches: of(searches, found),
  };
}

describe('the worst case of a request', () => {
  it('is never below the price of any usage within its bounds: every tier, cache lifetime, audio and searches', () => {
    fc.assert(
      fc.property(anySheet, bounds, shares, (sheet, most, parts) => {
        expect(priceBounds(sheet, most) >= priceUsage(sheet, useWithin(most, parts))).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it('is tight: an amount pays for exactly as much output as fits it', () => {
    fc.assert(
      fc.property(anySheet, bounds, fc.bigInt({ min: 0n, max: 10n ** 15n }), (sheet, most, amount) => {
        const tokens = fitOutputTokens(sheet, most, amount);
        fc.pre(Number.isFinite(tokens) && tokens > 0);
        expect(priceBounds(sheet, { ...most, outputTokens: tokens }) <= amount).toBe(true);
        expect(priceBounds(sheet, { ...most, outputTokens: tokens + 2 }) > amount || tokens > 10 ** 12).toBe(true);
      }),
    );
  });

  const sheet = (output: string): ChatPriceSheet => ({
    kind: 'chat',
    version: 'v',
    tiers: [{ threshold: 0, input: '0.000001', output, cachedRead: '0', cacheWrite5m: '0.000002', cacheWrite1h: '0.000003' }],
  });
  const attempt = (more: Partial<BoundAttempt> = {}): BoundAttempt => ({
    prices: sheet('0.00001'),
    contextWindow: 100_000,
    maxOutputTokens: 4_000,
    isSearching: false,
    ...more,
  });
  const facts = (json: Record<string, unknown>, more: Partial<RequestFacts> = {}): RequestFacts => {
    const bodyBytes = Buffer.byteLength(JSON.stringify(json));
    return {
      modality: 'chat',
      prompt: measurePrompt(json, bodyBytes),
      asked: readAskedOutput(json, 'chat-completions'),
      attempts: [attempt()],
      ...more,
    };
  };

  it('counts the dearest of its attempts, cache-writing prices, and the output of every choice', () => {
    const one = boundRequest(facts({ max_tokens: 100 }));
    const many = boundRequest(facts({ max_tokens: 100, n: 5 }));
    const dear = boundRequest(facts({ max_tokens: 100 }, { attempts: [attempt(), attempt({ prices: sheet('0.00002') })] }));
    const promptPico = BigInt('{"max_tokens":100}'.length + 256) * 3_000_000n;
    expect(one.worstPico).toBe(promptPico + 100n * 10_000_000n);
    expect(many.worstPico - one.worstPico).toBe(400n * 10_000_000n + 6n * 3_000_000n);
    expect(dear.worstPico).toBe(promptPico + 100n * 20_000_000n);
    expect(dear.leastPico).toBe(promptPico + BigInt(CLAMPED_TOKENS_MIN) * 20_000_000n);
    expect(dear.bounds).toEqual(Array.from({ length: 2 }, () => ({ promptTokens: 274, outputTokens: 100 })));
  });

  it('counts all of its attempts together where failed ones are charged too, and cannot shorten that', () => {
    const attempts = [attempt(), attempt({ prices: sheet('0.00002') })];
    const single = attempts.map((one) => boundRequest(facts({ max_tokens: 100 }, { attempts: [one] })).worstPico);
    const all = boundRequest(facts({ max_tokens: 100 }, { attempts, isEachCharged: true }));
    expect(all.worstPico).toBe((single[0] ?? 0n) + (single[1] ?? 0n));
    expect(all.leastPico).toBe(all.worstPico);
    const [only = attempt()] = attempts;
    const one = boundRequest(facts({ max_tokens: 100 }, { attempts: [only], isEachCharged: true }));
    expect([one.worstPico, one.leastPico < one.worstPico]).toEqual([single[0], true]);
  });

  it('takes the limit of the request, else of the model; never below what providers are asked for at least', () => {
    expect(boundRequest(facts({})).outputTokens).toBe(4_000);
    expect(boundRequest(facts({ max_tokens: 3 })).outputTokens).toBe(16);
    expect(boundRequest(facts({ max_tokens: 50, max_completion_tokens: 70 })).outputTokens).toBe(70);
    expect(boundRequest(facts({ max_tokens: 10 ** 12 })).outputTokens).toBe(100_000);
    expect(boundRequest(facts({}, { attempts: [attempt({ maxOutputTokens: null })] })).outputTokens).toBe(128_000);
  });

  it('returns how far the output has to be shortened to fit', () => {
    const bounded = boundRequest(facts({}));
    expect(bounded.fitOutput(bounded.worstPico)).toBe(4_000);
    expect(bounded.fitOutput(bounded.leastPico)).toBe(16);
    expect(bounded.fitOutput(0n)).toBe(0);
    expect(boundRequest(facts({ n: 4 })).fitOutput(boundRequest(facts({ n: 4 })).leastPico)).toBe(16);
  });

  it('counts an encoded image as an image, not by its bytes; whatever refers elsewhere by the whole context', () => {
    const data = 'A'.repeat(1_000_000);
    const shapes: unknown[] = [
      { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
      { type: 'input_image', image_url: `data:image/png;base64,${data}` },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
      { type: 'tool_result', content: [{ type: 'image', source: { type: 'base64', data } }] },
    ];
    for (const part of shapes) {
      const json = { messages: [{ role: 'user', content: [part, { type: 'text', text: 'x' }] }] };
      const measured = measurePrompt(json, JSON.stringify(json).length);
      expect(measured).toMatchObject({ images: 1, isOpenEnded: false });
      expect(measured.textTokens).toBeLessThan(600);
    }
    const pages = { messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'text', data } }] }] };
    expect(measurePrompt(pages, JSON.stringify(pages).length)).toMatchObject({ isOpenEnded: true });
    expect(measurePrompt(pages, JSON.stringify(pages).length).textTokens).toBeGreaterThan(1_000_000);
    for (const json of [
      { previous_response_id: 'r' },
      { input: [{ type: 'input_file', file_id: 'f' }] },
      { tools: [{ type: 'code_interpreter' }] },
    ]) {
      expect(boundRequest(facts(json)).bounds[0]?.promptTokens).toBeGreaterThanOrEqual(100_000);
    }
  });

  const measured = (json: Record<string, unknown>) => measurePrompt(json, JSON.stringify(json).length);

  it.each<[string, Record<string, unknown>]>([
    ['reasoning', { input: [{ type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'x' }] }] }],
    ['an item by its id alone', { input: ['x', { id: 'msg_1' }] }],
    ['an item by its id and no type', { input: [{ id: 'msg_1', type: null, content: [{ type: 'input_text', text: 'x' }] }] }],
    ['a message without its content', { input: [{ type: 'message', role: 'assistant', id: 'msg_1', content: [] }] }],
    ['a call without its arguments', { input: [{ type: 'function_call', id: 'fc_1', call_id: 'c' }] }],
    ['a picture that was made', { input: [{ type: 'image_generation_call', id: 'ig_1', result: null }] }],
    ['what a search found', { input: [{ type: 'web_search_call', id: 'ws_1', action: { type: 'search', query: 'x' } }] }],
    ['files that were found', { input: [{ type: 'file_search_call', id: 'fs_1', queries: ['x'], results: null }] }],
    ['a screenshot', { input: [{ type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot', file_id: 'f' } }] }],
    ['a file for a container', { messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: 'f' }] }] }],
    ['what was spoken', { messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] }],
    ['a file beside an empty list of messages', { messages: [], input: [{ type: 'input_file', file_id: 'f' }] }],
  ])('counts the whole context for what the provider stored: %s', (_, json) => {
    expect(measured(json)).toMatchObject({ isOpenEnded: true });
  });

  it.each<[string, Record<string, unknown>]>([
    ['messages', { input: [{ type: 'message', role: 'assistant', id: 'msg_1', content: [{ type: 'output_text', text: 'x' }] }] }],
    ['messages of one text', { input: [{ role: 'user', id: 'msg_1', content: 'x' }], messages: [{ id: 'm', role: 'user' }] }],
    ['reasoning that was sent', { input: [{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' }] }],
    ['reasoning in plain text', { input: [{ type: 'reasoning', id: 'rs_1', content: [{ type: 'reasoning_text', text: 'x' }] }] }],
    ['calls', { input: [{ type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '' }] }],
    ['results', { input: [{ type: 'function_call_output', id: 'o_1', call_id: 'c', output: '' }] }],
    ['calls of a tool of the computer', { input: [{ type: 'computer_call', id: 'cu_1', action: { type: 'click' } }] }],
    ['spoken replies without an id', { messages: [{ role: 'assistant', content: 'x', audio: null }] }],
    ['calls in the messages dialect', { messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 't_1', input: {} }] }] }],
  ])('counts by its length what was sent with an id: %s', (_, json) => {
    expect(measured(json)).toMatchObject({ isOpenEnded: false, images: 0 });
  });

  it('counts a screenshot as an image, and the parts of both lists of turns', () => {
    const image = `data:image/png;base64,${'A'.repeat(100_000)}`;
    const screenshot = { type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot', image_url: image } };
    const both = { messages: [{ role: 'user', content: [{ type: 'input_image', image_url: image }] }], input: [screenshot] };
    expect(measured(both)).toMatchObject({ images: 2, isOpenEnded: false });
    expect(measured(both).textTokens).toBeLessThan(800);
  });

  it('measures around a long text without reading it', () => {
    const part = { type: 'input_text', text: 'a' };
    const json = { messages: [{ role: 'user', content: 'x' }], input: [{ id: 'm', type: 'message', content: 'x' }, { content: [part] }] };
    const measured = measurePrompt(json, 100);
    const kept = structuredClone(json);
    for (const path of [
      ['messages', 0, 'content'],
      ['input', 0, 'content'],
      ['input', 1, 'content', 0, 'text'],
    ]) {
      placeLongText(kept, { path, read: () => 'x' });
    }

    expect(measurePrompt(kept, 100)).toEqual(measured);
    expect(measured.isOpenEnded).toBe(false);
    expect([...kept.messages, kept.input[0] as object].map((holder) => isUnreadText(holder, 'content'))).toEqual([true, true]);
  });

  it('does not grow for edits that only leave parts of the prompt out', () => {
    const edits = [{ type: 'clear_thinking_20251015' }, { type: 'clear_tool_uses_20250919' }];
    expect(measurePrompt({ context_management: { edits } }, 100)).toEqual(measurePrompt({}, 100));
    expect(measurePrompt({ context_management: { edits: [...edits, { type: 'compact_20260112' }] } }, 100).isReadTwice).toBe(true);
  });

  it('sets aside as much again as the model can say where a summary may be written', () => {
    const plain = boundRequest(facts({ max_tokens: 100 }));
    const bounded = boundRequest(facts({ max_tokens: 100, context_management: { edits: [{ type: 'compact_20260112' }] } }));
    expect([plain.bounds[0]?.outputTokens, bounded.bounds[0]?.outputTokens, bounded.outputTokens]).toEqual([100, 4_100, 100]);
    expect(bounded.boundsAt(20)[0]?.outputTokens).toBe(4_020);
    expect(bounded.fitOutput(bounded.worstPico)).toBe(100);
    expect(bounded.fitOutput(bounded.leastPico)).toBe(16);
    expect(bounded.worstPico - bounded.leastPico).toBe(84n * 10_000_000n);
    expect(bounded.fitOutput(1n)).toBe(0);
  });

  it('counts searches that are asked for, and those of a model that searches unasked', () => {
    const searching = (json: Record<string, unknown>, isSearching = false) => {
      const prices = { ...sheet('0'), search: '1' };
      return boundRequest(facts(json, { attempts: [attempt({ prices, isSearching, contextWindow: 0 })] })).worstPico / 10n ** 12n;
    };
    expect(searching({})).toBe(0n);
    expect(searching({ tools: [{ type: 'function', function: {} }] })).toBe(0n);
    expect(searching({ tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3 }] })).toBe(3n);
    expect(searching({ input: [{ type: 'additional_tools', tools: [{ type: 'web_search' }] }] })).toBe(20n);
    const own = [
      { type: 'namespace', tools: [{ type: 'function' }] },
      { type: 'tool_search', execution: 'client' },
    ];
    expect(searching({ tools: own })).toBe(0n);
    expect(searching({ tools: [{ type: 'namespace', tools: [{ type: 'web_search' }] }] })).toBe(20n);
    expect(searching({ web_search_options: {} })).toBe(20n);
    expect(searching({}, true)).toBe(20n);
  });

  it('bounds what is charged by units, and cannot shorten it', () => {
    const embedding: UnitPriceSheet = { kind: 'units', version: 'v', units: { input_token: '0.000001' } };
    const bounded = boundRequest(facts({ input: 'x'.repeat(1000) }, { modality: 'embedding', attempts: [attempt({ prices: embedding })] }));
    expect(bounded.worstPico >= priceUnits(embedding, { input_token: 1000 })).toBe(true);
    expect(bounded.leastPico).toBe(bounded.worstPico);
    expect(bounded.fitOutput(1n)).toBe(Infinity);
  });

  it('measures nothing strange as a number', () => {
    for (const json of [{ messages: 7 }, { messages: [null, 5, 'x', { content: {} }], tools: [null, 3] }, { n: -1, max_tokens: 'many' }]) {
      const bounded = boundRequest(facts(json));
      expect(bounded.worstPico > 0n && bounded.outputTokens === 4_000).toBe(true);
    }
  });
});
