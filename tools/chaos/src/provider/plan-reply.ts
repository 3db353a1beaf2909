import { createRandom, pickInteger } from '../random';

type Ending = 'whole' | 'error' | 'cut' | 'hang';

/** What the simulated provider does with one request: a pure function of the request's own words. */
export type ReplyPlan = {
  readonly seed: number;
  readonly promptTokens: number;
  /** Of the whole reply, also when it is not sent to its end. */
  readonly outputTokens: number;
  readonly ending: Ending;
  /** For a cut: after so many tokens. */
  readonly cutAfter: number;
  readonly firstByteMs: number;
  readonly gapMs: number;
};

const WORD = /\b(seed|tokens|gap|delay|ending)=([a-z0-9]+)/g;
const OUTPUT_TOKENS_MAX = 60;

/** Writes the words that make a prompt ask for a reply; what is left out follows from the seed. */
export function describePrompt(
  seed: number,
  wishes: Partial<Pick<ReplyPlan, 'outputTokens' | 'gapMs' | 'firstByteMs' | 'ending'>> = {},
): string {
  const words = [`seed=${seed}`];
  if (wishes.outputTokens !== undefined) words.push(`tokens=${wishes.outputTokens}`);
  if (wishes.gapMs !== undefined) words.push(`gap=${wishes.gapMs}`);
  if (wishes.firstByteMs !== undefined) words.push(`delay=${wishes.firstByteMs}`);
  if (wishes.ending !== undefined) words.push(`ending=${wishes.ending}`);
  return words.join(' ');
}

/** Returns undefined for a request that names no seed. */
export function planReply(body: string): ReplyPlan | undefined {
  const words = new Map([...body.matchAll(WORD)].map((match) => [match[1] ?? '', match[2] ?? '']));
  const seed = Number(words.get('seed'));
  if (!words.has('seed') || !Number.isSafeInteger(seed)) return undefined;
  const random = createRandom(seed);
  const planned = {
    promptTokens: pickInteger(random, 1, 40),
    outputTokens: pickInteger(random, 1, OUTPUT_TOKENS_MAX),
    firstByteMs: pickInteger(random, 0, 20),
    cutShare: random(),
  };
  const outputTokens = readNumber(words.get('tokens'), planned.outputTokens);
  return {
    seed,
    promptTokens: planned.promptTokens,
    outputTokens,
    ending: readEnding(words.get('ending')),
    cutAfter: Math.floor(outputTokens * planned.cutShare),
    firstByteMs: readNumber(words.get('delay'), planned.firstByteMs),
    gapMs: readNumber(words.get('gap'), 0),
  };
}

function readNumber(text: string | undefined, otherwise: number): number {
  return text === undefined ? otherwise : Number(text);
}

function readEnding(text: string | undefined): Ending {
  return text === 'error' || text === 'cut' || text === 'hang' ? text : 'whole';
}
