import { NO_USAGE, type Usage } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import { CLIENT_CLOSED, OK, type Outcome } from '@weir/exchange';
import type { PriceSheet } from '@weir/contracts';
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
  reservedPico?: string;
  isByok?: boolean;
  namesDeployments?: boolean;
};

/** Ten times as dear as what was asked for, in a row of its own. */
const SERVED = { modelId: 'p/other', prices: sheetOf('0.00001') };

function sheetOf(price: string): PriceSheet {
  const zero = { cachedRead: '0', cacheWrite5m: '0', cacheWrite1h: '0' };
  return { kind: 'chat', version: 'v', tiers: [{ threshold: 0, input: price, output: price, ...zero }] };
}

function open({ asked, isOpenEnded = false, isLast = true, search, heldOutput, ...more }: Opened = {}) {
  const { reservedPico, isByok = false, namesDeployments, ...model } = more;
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
    place: { endsWith: () => isLast, attempt: { prices: { kind: 'chat', search }, isByok } },
    charges: { earlierPico: 0n, chargesFailures: true },
    estimatePrompt: () => PROMPT_ESTIMATE,
    lane: { provider: { codec: null, namesDeployments }, target: { attempt: { upstreamModel: 'm' } } },
    findServed: (_: unknown, reported: string) => (reported === 'other' ? SERVED : undefined),
    served: undefined,
    most,
    heldOutput,
    reservedPico,
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

  it('has an estimated prompt where its provider reported the output alone', () => {
    const { closed, settlement } = open();
    settlement.receive(Buffer.alloc(100));
    const reported: Usage = usageOf({ output: 5, isDoubtful: true });
    const { usage } = settlement.settle(reported, OK);
    expect(usage).toMatchObject({ inputUncached: PROMPT_ESTIMATE, output: 5, source: 'estimate' });
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

describe('a reply of another model than was asked for', () => {
  const reported = usageOf({ inputUncached: 60, output: 40 });
  const settleAs = (model: unknown, opened: Opened = {}) => {
    const { closed, settlement } = open({ asked: 100, ...opened });
    settlement.noteModel(model);
    return { usage: settlement.settle(reported, OK).usage, closed: closed[0] };
  };

  it.each<[string, unknown, Opened]>([
    ['names the model that was asked for', 'm', {}],
    ['names no model of the catalogue', 'unheard-of', {}],
    ['names none', undefined, {}],
    ['is named by its deployment', 'other', { namesDeployments: true }],
  ])('is none where it %s', (_, model, opened) => {
    const { usage, closed } = settleAs(model, opened);
    expect(usage).toBe(reported);
    expect(closed).not.toHaveProperty('served');
  });

  it.each<[string, Opened]>([
    ['where nothing limits the request', {}],
    ['where the hold covers it', { reservedPico: '1000000000' }],
    ['where its organization pays its provider itself', { reservedPico: '1', isByok: true }],
  ])('is priced as that one %s', (_, opened) => {
    const { usage, closed } = settleAs('other', opened);
    expect(usage).toBe(reported);
    expect(closed).toMatchObject({ usage: reported, served: SERVED });
    expect(closed).not.toHaveProperty('doubted');
  });

  it('costs what the hold covers where that is less, and both usages are kept', () => {
    const { usage, closed } = settleAs('other', { reservedPico: '500000000' });
    // 50 tokens at 10 µ$ are the half of what was reported.
    expect(usage).toEqual(usageOf({ inputUncached: 30, output: 20, source: 'estimate' }));
    expect(closed).toMatchObject({ usage, served: SERVED, doubted: { usage: reported } });
  });
});
