import { promptTokens, type Usage } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { OK } from '@weir/exchange';
import { createProviderDirectory, type Provider } from '@weir/providers';
import type { ClosingFacts } from '@weir/meter';
import fc from 'fast-check';
import type { OpenExchange } from '../exchange/open-exchange';
import { createSettlement } from '../settlement/settlement';
import { finishUsage } from './finish-usage';

const readEnv = (name: string): string | undefined => (/^(OPENAI|ANTHROPIC)_API_KEY$/.test(name) ? 'a-key' : undefined);
const directory = createProviderDirectory({ env: readEnv, transport: () => Promise.reject(new Error('nothing is sent here')) });
const reader = (id: string): NonNullable<Provider['express']>['readUsage'] => directory.find(id)?.express?.readUsage ?? (() => null);

const OUTPUT_MAX = 4_096;
const PROMPT_MAX = 9_000;
/** What stands where a count should. */
const count = fc.oneof(fc.nat(5_000), fc.constantFrom<unknown>(null, undefined, -1, 1e300, 2 ** 41, 12.7, '12', 'many', [], {}));
const details = (...names: readonly string[]) => fc.record(Object.fromEntries(names.map((name) => [name, count])));

type Shown = Record<string, number | null | undefined>;
type Case = readonly [dialect: ChatDialect, read: ReturnType<typeof reader>, shape: fc.Arbitrary<object>, pick: (reported: never) => Shown];
const CASES: readonly Case[] = [
  [
    'chat-completions',
    reader('openai'),
    fc.record({
      ...{ prompt_tokens: count, completion_tokens: count, total_tokens: count },
      prompt_tokens_details: details('cached_tokens', 'audio_tokens'),
      completion_tokens_details: details('reasoning_tokens', 'audio_tokens'),
    }),
    (reported: { prompt_tokens: number; completion_tokens: number; prompt_tokens_details: Shown; completion_tokens_details: Shown }) => ({
      ...{ prompt: reported.prompt_tokens, output: reported.completion_tokens, cached: reported.prompt_tokens_details['cached_tokens'] },
      ...{ reasoning: reported.completion_tokens_details['reasoning_tokens'], audioInput: reported.prompt_tokens_details['audio_tokens'] },
    }),
  ],
  [
    'messages',
    reader('anthropic'),
    fc.record({
      ...{ input_tokens: count, output_tokens: count, cache_read_input_tokens: count, cache_creation_input_tokens: count },
      cache_creation: details('ephemeral_5m_input_tokens', 'ephemeral_1h_input_tokens'),
      server_tool_use: details('web_search_requests'),
    }),
    (reported: Shown & { server_tool_use: Shown }) => ({
      ...{
        output: reported['output_tokens'],
        cached: reported['cache_read_input_tokens'],
        searches: reported.server_tool_use['web_search_requests'],
      },
      prompt: (reported['input_tokens'] ?? 0) + (reported['cache_read_input_tokens'] ?? 0) + (reported['cache_creation_input_tokens'] ?? 0),
    }),
  ],
];

function expectShown({ prompt, output, cached, reasoning, audioInput, searches }: Shown, charged: Usage): void {
  expect([prompt ?? 0, output ?? 0, cached ?? 0]).toEqual([promptTokens(charged), charged.output, charged.cacheRead]);
  expect([reasoning ?? charged.reasoning, audioInput ?? charged.audioInput]).toEqual([charged.reasoning, charged.audioInput]);
  expect(searches ?? charged.searches).toBe(charged.searches);
}

describe.each(CASES)('any usage that a provider reports in the dialect %s', (dialect, read, shape, pick) => {
  it('the reply shows what is charged, within what can be', () => {
    let seen = 0;
    fc.assert(
      fc.property(shape, (generated) => {
        const reported = JSON.parse(JSON.stringify(generated)) as object;
        const usage = read(reported);
        if (usage === null) return;
        seen += 1;
        const closed: ClosingFacts[] = [];
        const receipt = { costPico: 1n, costUsd: '0.1', billedPico: 1n, inputTokens: 0, outputTokens: 0 };
        const exchange = {
          attempt: { close: (facts: ClosingFacts) => (closed.push(facts), receipt), progress: () => undefined },
          place: { attempt: { prices: { kind: 'chat', search: '0.01' } } },
          charges: { earlierPico: 0n, chargesFailures: false },
          estimatePrompt: () => 30,
          lane: { provider: { codec: null }, target: {} },
          most: {
            prompt: () => ({ textTokens: PROMPT_MAX, images: 0, isOpenEnded: false, searches: null, contextReads: 1 }),
            asked: () => ({ tokens: OUTPUT_MAX, choices: 1 }),
            model: { contextWindow: 100_000, maxOutputTokens: OUTPUT_MAX, isReasoning: false, isSearching: false },
          },
        } as unknown as OpenExchange;
        const priced = createSettlement(exchange).settle(usage, OK);
        const charged = closed[0]?.usage ?? usage;
        const shown = JSON.parse(finishUsage(JSON.stringify(reported), [], { dialect, reported, priced })) as never;

        expect(priced.usage).toEqual(charged);
        expectShown(pick(shown), charged);
        expect(promptTokens(charged) <= PROMPT_MAX && charged.output <= OUTPUT_MAX && charged.searches === 0).toBe(true);
        expect(closed[0]?.doubted === undefined).toBe(charged === usage);
      }),
      { numRuns: 1_000 },
    );
    expect(seen).toBeGreaterThan(200);
  });
});
