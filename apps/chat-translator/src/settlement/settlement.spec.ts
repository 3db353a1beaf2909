import { NO_USAGE, type Usage } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { CLIENT_CLOSED, OK, type Outcome } from '@weir/exchange';
import type { ChatMost } from '@weir/limits';
import type { ClosingFacts } from '@weir/meter';
import type { OpenExchange } from '../exchange/open-exchange';
import { createSettlement } from './settlement';

const PROMPT_ESTIMATE = 30;
const PROMPT_MOST = 90;
const OUTPUT_MAX = 4_096;

type Opened = Partial<ChatMost['model']> & {
  asked?: number;
  isOpenEnded?: boolean;
  isLast?: boolean;
  search?: string;
  heldOutput?: number;
};

function open({ asked, isOpenEnded = false, isLast = true, search, heldOutput, ...model }: Opened = {}) {
  const closed: ClosingFacts[] = [];
  const receipt = { costPico: 0n, costUsd: '0', billedPico: 0n, inputTokens: 0, outputTokens: 0 };
  const most: ChatMost = {
    prompt: () => ({
      textTokens: PROMPT_MOST,
      images: 0,
      isOpenEnded,
      searches: isOpenEnded ? 20 : null,
      contextReads: 1,
      isReadTwice: false,
    }),
    asked: () => ({ tokens: asked ?? null, choices: 1 }),
    model: { contextWindow: 100_000, maxOutputTokens: OUTPUT_MAX, isReasoning: false, isSearching: false, ...model },
  };
  const noted: number[] = [];
  const exchange = {
    attempt: { close: (facts: ClosingFacts) => (closed.push(facts), receipt), progress: (tokens: number) => void noted.push(tokens) },
    place: { endsWith: () => isLast, attempt: { prices: { kind: 'chat', search } } },
    charges: { earlierPico: 0n, chargesFailures: true },
    estimatePrompt: () => PROMPT_ESTIMATE,
    lane: { provider: { codec: null }, target: {} },
    most,
    heldOutput,
  } as unknown as OpenExchange;
  return { closed, noted, settlement: createSettlement(exchange) };
}

const usageOf = (changes: Partial<Usage>): Usage => ({ ...NO_USAGE, ...changes });

describe('a whole reply that arrived', () => {
  const notWithheld = (): boolean => false;

  it.each<[string, number, Opened, number]>([
    ['as its provider reported it, not by its bytes', 24, {}, 24],
    ['by its bytes where nothing was reported and it cannot be decoded', 0, {}, 100],
    ['up to what is held for it', 5_000, { heldOutput: 60 }, 60],
  ])('is noted %s, in case the process dies before it is settled', (_, reported, opened, expected) => {
    const { noted, settlement } = open(opened);
    settlement.receiveWhole(Buffer.alloc(300), reported, notWithheld);
    expect(noted).toEqual([expected]);
  });
});

describe('a usage that a provider reported', () => {
  it.each([
    ['usual', usageOf({ inputUncached: 12, output: 5 })],
    ['of many turns with tools', usageOf({ inputUncached: 40_000, cacheRead: 60_000, output: 4_000, searches: 20 })],
    ['of nothing', NO_USAGE],
  ])('that is %s stands as it is', (_, reported) => {
    const { closed, settlement } = open({ isOpenEnded: true, search: '0.01' });
    expect(settlement.settle(reported, OK).usage).toBe(reported);
    expect(closed[0]?.doubted).toBeUndefined();
  });

  it.each([
    ['prompt', usageOf({ inputUncached: 2 ** 40, output: 5 }), { inputUncached: PROMPT_MOST }],
    ['searches', usageOf({ inputUncached: 12, searches: 2 ** 40, output: 5 }), { searches: 0 }],
    ['answer', usageOf({ inputUncached: 12, output: 1_000_000 }), { output: 16 }],
  ])('whose %s cannot be is charged by its bound, and both figures are kept', (_, reported, charged) => {
    const { closed, settlement } = open({ asked: 16 });
    const { usage } = settlement.settle(reported, OK);
    expect(usage).toEqual({ ...reported, ...charged, source: 'estimate' });
    expect(closed).toEqual([expect.objectContaining({ usage, doubted: { usage: reported } })]);
  });

  it('is bounded by the bytes that came where nothing else limits the reply', () => {
    const { settlement } = open();
    settlement.receive(Buffer.alloc(300));
    settlement.receive(Buffer.alloc(200));
    expect(settlement.settle(usageOf({ output: 4_000 }), OK).usage).toEqual(usageOf({ output: 1_000, source: 'estimate' }));
  });

  it.each<[string, Opened, boolean, Outcome]>([
    ['of a model that reasons unseen', { isReasoning: true }, false, OK],
    ['whose words were withheld', {}, true, OK],
    ['of a reply that was cut', {}, false, CLIENT_CLOSED],
  ])('is bounded by what the model can say, not by the bytes: %s', (_, opened, isWithheld, outcome) => {
    const { settlement } = open(opened);
    settlement.receive(Buffer.alloc(100), () => isWithheld);
    expect(settlement.settle(usageOf({ output: 9_000 }), outcome).usage.output).toBe(OUTPUT_MAX);
  });

  it('is an estimate where it has searches and no one knows what they cost', () => {
    const reported = usageOf({ inputUncached: 12, output: 5, searches: 1 });
    expect(open({ isOpenEnded: true }).settlement.settle(reported, OK).usage).toEqual({ ...reported, source: 'estimate' });
    expect(open({ isOpenEnded: true, search: '0.01' }).settlement.settle(reported, OK).usage).toBe(reported);
  });

  it('keeps the reported usage of which one count is not plausible', () => {
    const { closed, settlement } = open({ isOpenEnded: true });
    settlement.progress(70);
    const reported: Usage = usageOf({ inputUncached: 12, searches: 2, isDoubtful: true });
    const { usage } = settlement.settle(reported, OK);
    expect(usage).toEqual(usageOf({ inputUncached: 12, searches: 2, output: 70, source: 'estimate' }));
    expect(closed[0]?.doubted).toEqual({ usage: reported });
  });

  it('is bounded in an attempt that failed too', () => {
    const { closed, settlement } = open();
    settlement.drop(usageOf({ output: 2 ** 40 }), new Error('cut'));
    expect(closed[0]).toMatchObject({ usage: { output: OUTPUT_MAX, source: 'estimate' }, isUncharged: false });
  });

  it.each<[string, 'drop' | 'dropLast', boolean]>([
    ['where others can still be asked', 'drop', false],
    ['where no one can be asked any more', 'dropLast', true],
  ])('counts the request of a failed attempt %s: %s', (_, way, isLogical) => {
    const { closed, settlement } = open({ isLast: false });
    settlement[way](usageOf({ inputUncached: 12 }), new GatewayError('provider_failed', 'm'));
    expect(closed).toMatchObject([{ isLogical, usage: { inputUncached: 12 }, status: 'upstream_error' }]);
  });
});
