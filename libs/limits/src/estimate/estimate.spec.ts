import { NO_USAGE, type Usage } from '@weir/canonical';
import type { ChatPriceSheet, UnitPriceSheet } from '@weir/contracts';
import { priceUnits, priceUsage } from '@weir/pricing';
import fc from 'fast-check';
import { boundRequest, CLAMPED_TOKENS_MIN, type BoundAttempt, type RequestFacts } from './bound-request';
import { measurePrompt } from './measure-prompt';
import { fitOutputTokens, priceBounds } from './price-bounds';
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

  it('tells how far an answer has to be shortened to fit', () => {
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

  it('counts searches that are asked for, and those of a model that searches unasked', () => {
    const searching = (json: Record<string, unknown>, isSearching = false) => {
      const prices = { ...sheet('0'), search: '1' };
      return boundRequest(facts(json, { attempts: [attempt({ prices, isSearching, contextWindow: 0 })] })).worstPico / 10n ** 12n;
    };
    expect(searching({})).toBe(0n);
    expect(searching({ tools: [{ type: 'function', function: {} }] })).toBe(0n);
    expect(searching({ tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3 }] })).toBe(3n);
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
