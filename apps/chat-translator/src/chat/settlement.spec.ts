import { NO_USAGE, type Usage } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { OK } from '@weir/exchange';
import type { ClosingFacts } from '@weir/usage-journal';
import type { OpenExchange } from './open-exchange';
import { createSettlement } from './settlement';

const PROMPT_ESTIMATE = 30;
const OUTPUT_MAX = 4_096;

function open(maxOutputTokens: number | null = OUTPUT_MAX, isOpenEnded = false, isLast = true, search?: string) {
  const closed: ClosingFacts[] = [];
  const receipt = { costPico: 0n, costUsd: '0', billedPico: 0n };
  const exchange = {
    till: { close: (facts: ClosingFacts) => (closed.push(facts), receipt), progress: () => undefined },
    turn: { endsWith: () => isLast, attempt: { prices: { kind: 'chat', search } } },
    charges: { earlierPico: 0n, chargesFailures: true },
    promptEstimate: PROMPT_ESTIMATE,
    most: {
      prompt: () => ({ textTokens: PROMPT_ESTIMATE, images: 0, isOpenEnded, searches: null }),
      output: () => maxOutputTokens ?? undefined,
    },
  } as unknown as OpenExchange;
  return { closed, settlement: createSettlement(exchange) };
}

const usageOf = (changes: Partial<Usage>): Usage => ({ ...NO_USAGE, ...changes });

describe('a usage that a provider told', () => {
  it.each([
    ['usual', usageOf({ inputUncached: 12, output: 5 })],
    ['of many turns with tools', usageOf({ inputUncached: 4_000_000, cacheRead: 9_000_000, output: 900_000 })],
    ['of nothing', NO_USAGE],
  ])('that is %s stands as it is', (_, told) => {
    const { closed, settlement } = open(OUTPUT_MAX, true);
    expect(settlement.settle(told, OK).usage).toBe(told);
    expect(closed[0]?.doubted).toBeUndefined();
  });

  it.each([
    ['prompt', usageOf({ inputUncached: 2 ** 40, output: 5 }), 5],
    ['prompt, for a request that refers to nothing else,', usageOf({ inputUncached: 4_000_000, output: 5 }), 5],
    ['searches', usageOf({ inputUncached: 12, searches: 2 ** 40, output: 5 }), 5],
    ['cache', usageOf({ inputUncached: 1, cacheRead: 20_000_000, output: 5 }), 5],
    ['answer', usageOf({ inputUncached: 12, output: 999_999_999 }), OUTPUT_MAX],
  ])('whose %s cannot be is told to somebody, and charged as estimated', (_, told, output) => {
    const { closed, settlement } = open();
    const { usage } = settlement.settle(told, OK);
    expect(usage).toEqual(usageOf({ inputUncached: PROMPT_ESTIMATE, output, source: 'estimate' }));
    expect(closed).toEqual([expect.objectContaining({ usage, doubted: { usage: told } })]);
  });

  it('is an estimate where it has searches and nobody knows what they cost', () => {
    const told = usageOf({ inputUncached: 12, output: 5, searches: 1 });
    expect(open().settlement.settle(told, OK).usage).toEqual({ ...told, source: 'estimate' });
    expect(open(OUTPUT_MAX, false, true, '0.01').settlement.settle(told, OK).usage).toBe(told);
  });

  it('is believed of the answer where only the prompt cannot be, whatever limits the answer', () => {
    const { settlement } = open(null);
    const { usage } = settlement.settle(usageOf({ inputUncached: 2 ** 40, output: 700 }), OK);
    expect(usage).toEqual(usageOf({ inputUncached: PROMPT_ESTIMATE, output: 700, source: 'estimate' }));
  });

  it('keeps what was told of a usage in which one count cannot be', () => {
    const { closed, settlement } = open();
    settlement.progress(70);
    const told: Usage = usageOf({ inputUncached: 12, searches: 2, isDoubtful: true });
    const { usage } = settlement.settle(told, OK);
    expect(usage).toEqual(usageOf({ inputUncached: 12, searches: 2, output: 70, source: 'estimate' }));
    expect(closed[0]?.doubted).toEqual({ usage: told });
  });

  it('is not believed of an attempt that failed either, and then the output that was seen counts', () => {
    const { closed, settlement } = open(null);
    settlement.progress(70);
    settlement.drop(usageOf({ output: 2 ** 40 }), new Error('cut'));
    expect(closed[0]).toMatchObject({ usage: { inputUncached: PROMPT_ESTIMATE, output: 70, source: 'estimate' }, isUncharged: false });
  });

  it.each<[string, 'drop' | 'dropLast', boolean]>([
    ['where others can still be asked', 'drop', false],
    ['where nobody can be asked any more', 'dropLast', true],
  ])('counts the request of a failed attempt %s: %s', (_, way, isLogical) => {
    const { closed, settlement } = open(OUTPUT_MAX, false, false);
    settlement[way](usageOf({ inputUncached: 12 }), new GatewayError('provider_failed', 'm'));
    expect(closed).toMatchObject([{ isLogical, usage: { inputUncached: 12 }, status: 'upstream_error' }]);
  });
});
