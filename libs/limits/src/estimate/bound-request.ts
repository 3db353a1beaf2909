import type { AttemptBounds, Modality, PriceSheet } from '@weir/contracts';
import type { MediaMeasure } from './media/measure-media';
import type { PromptMeasure } from './measure-prompt';
import { fitOutputTokens, priceBounds } from './amounts/price-bounds';
import { countMostTokens, findMostUsage, priceMostUsage } from './media/most-usage';
import type { AskedOutput } from './read-asked-output';

/** One place a request may be sent to, as far as its cost depends on it. */
export type BoundAttempt = {
  readonly prices: PriceSheet;
  readonly contextWindow: number | null;
  readonly maxOutputTokens: number | null;
  /** The model searches on its own account, unasked. */
  readonly isSearching: boolean;
};

export type RequestFacts = {
  readonly modality: Modality;
  readonly prompt: PromptMeasure;
  /** Of a request about pictures or sound. */
  readonly media?: MediaMeasure | undefined;
  readonly asked: AskedOutput;
  readonly attempts: readonly BoundAttempt[];
  /** Failed attempts may be charged as well as the one that succeeds. Absent means false. */
  readonly isEachCharged?: boolean;
};

export type BoundedRequest = {
  /** What the request costs at most, wherever it is served. Where one attempt is charged the dearest counts, else their sum. */
  readonly worstPico: bigint;
  /** The same for the shortest answer that is of use; equal where the answer cannot be shortened. */
  readonly leastPico: bigint;
  /** Tokens per choice at most. */
  readonly outputTokens: number;
  readonly choices: number;
  readonly bounds: readonly AttemptBounds[];
  /** The same for limits, which may count some of the attempts only. */
  readonly attempts: readonly AttemptMost[];
  /** Failed attempts are charged too: what several attempts use adds up. */
  readonly isSum: boolean;
  /** The same where no choice has more than so many tokens. */
  boundsAt(outputTokens: number): readonly AttemptBounds[];
  /** How many tokens per choice an amount pays for, wherever the request is served. */
  fitOutput(amountPico: bigint): number;
};

/** What one attempt costs and uses at most; `least`: for the shortest answer that is of use. */
export type AttemptMost = {
  readonly worstPico: bigint;
  readonly leastPico: bigint;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly leastOutputTokens: number;
};

/** The dearest picture any vendor documents, in tokens. */
const IMAGE_TOKENS_MAX = 50_000;
const CONTEXT_UNKNOWN = 1_000_000;
const OUTPUT_UNKNOWN = 128_000;
const UNASKED_SEARCHES_MAX = 20;
/** An answer shorter than this is of no use to anybody. */
export const CLAMPED_TOKENS_MIN = 16;

/** Bounds what a request can cost, from its own limits and those of the models it may be served by. */
export function boundRequest(facts: RequestFacts): BoundedRequest {
  const { choices } = facts.asked;
  const isSum = facts.isEachCharged === true && facts.attempts.length > 1;
  const chat = facts.attempts.map((attempt) => boundAttempt(attempt, facts));
  const attempts = facts.attempts.map((attempt, index) => boundWhole(attempt, facts, { chat: chat[index] as ChatBounds, isSum }));
  const besideOf = (index: number): number => chat[index]?.besideTokens ?? 0;
  const boundsAt = (most: number): AttemptBounds[] =>
    chat.map(({ promptTokens, outputTokens, besideTokens }) => {
      return { promptTokens, outputTokens: Math.min(outputTokens, most) * choices + besideTokens };
    });
  return {
    worstPico: addUp(attempts, isSum, 'worstPico'),
    leastPico: addUp(attempts, isSum, 'leastPico'),
    outputTokens: Math.max(0, ...chat.map(({ outputTokens }) => outputTokens)),
    choices,
    bounds: boundsAt(Infinity),
    attempts,
    isSum,
    boundsAt,
    fitOutput: (amountPico) =>
      facts.attempts.reduce((least, { prices }, index) => {
        if (prices.kind !== 'chat') return least;
        const tokens = fitOutputTokens(prices, chat[index] as ChatBounds, amountPico) - besideOf(index);
        return Math.min(least, Math.max(0, Math.floor(tokens / choices)));
      }, Infinity),
  };
}

/** Of one choice, and what is written beside all of them. */
type ChatBounds = AttemptBounds & { readonly besideTokens: number; readonly searches: number };

function boundAttempt(attempt: BoundAttempt, { prompt, asked }: RequestFacts): ChatBounds {
  return {
    promptTokens: boundPrompt(prompt, attempt),
    outputTokens: boundChoice(asked, attempt),
    besideTokens: boundBeside(prompt, asked, attempt),
    searches: boundSearches(prompt, attempt),
  };
}

type WholeBounds = { readonly chat: ChatBounds; readonly isSum: boolean };

function boundWhole({ prices, maxOutputTokens }: BoundAttempt, facts: RequestFacts, { chat, isSum }: WholeBounds): AttemptMost {
  const { choices } = facts.asked;
  if (prices.kind !== 'chat') {
    const { modality, prompt, media } = facts;
    const most = findMostUsage({ modality, textTokens: prompt.textTokens, media, maxOutputTokens });
    const pico = priceMostUsage(prices, most);
    const { inputTokens, outputTokens } = countMostTokens(most);
    return { worstPico: pico, leastPico: pico, inputTokens, outputTokens, leastOutputTokens: outputTokens };
  }
  const outputTokens = chat.outputTokens * choices + chat.besideTokens;
  // A sum is not shortened: what is left of it for the last attempt depends on what the others report.
  const leastOutputTokens = isSum ? outputTokens : Math.min(chat.outputTokens, CLAMPED_TOKENS_MIN) * choices + chat.besideTokens;
  const worstPico = priceBounds(prices, { ...chat, outputTokens });
  const leastPico = leastOutputTokens === outputTokens ? worstPico : priceBounds(prices, { ...chat, outputTokens: leastOutputTokens });
  return { worstPico, leastPico, inputTokens: chat.promptTokens, outputTokens, leastOutputTokens };
}

/** The dearest attempt, or all of them. */
function addUp(attempts: readonly AttemptMost[], isSum: boolean, amount: 'worstPico' | 'leastPico'): bigint {
  let most = 0n;
  for (const attempt of attempts) {
    if (isSum) most += attempt[amount];
    else if (attempt[amount] > most) most = attempt[amount];
  }
  return most;
}

type ModelLimits = Pick<BoundAttempt, 'contextWindow' | 'maxOutputTokens'>;

/** The tokens of a prompt at most, of which the provider reads the context once. */
export function boundPrompt(prompt: PromptMeasure, attempt: Pick<BoundAttempt, 'contextWindow'>): number {
  const contextWindow = findWindow(attempt);
  return prompt.textTokens + (prompt.isOpenEnded ? contextWindow : Math.min(contextWindow, prompt.images * IMAGE_TOKENS_MAX));
}

/** The tokens of one choice at most. */
export function boundChoice(asked: AskedOutput, attempt: ModelLimits): number {
  return asked.tokens === null ? (attempt.maxOutputTokens ?? OUTPUT_UNKNOWN) : Math.min(asked.tokens, findWindow(attempt));
}

/**
 * The tokens at most that a provider writes and bills beside the choices: a summary of a long conversation, or what another
 * model wrote first. The limit of the request is one of the reply, so that only the model itself limits them.
 */
export function boundBeside(prompt: PromptMeasure, asked: AskedOutput, attempt: ModelLimits): number {
  return prompt.isReadTwice ? Math.max(boundChoice(asked, attempt), attempt.maxOutputTokens ?? OUTPUT_UNKNOWN) : 0;
}

export function boundSearches(prompt: PromptMeasure, attempt: Pick<BoundAttempt, 'isSearching'>): number {
  return prompt.searches ?? (attempt.isSearching ? UNASKED_SEARCHES_MAX : 0);
}

export function findWindow({ contextWindow }: Pick<BoundAttempt, 'contextWindow'>): number {
  return contextWindow ?? CONTEXT_UNKNOWN;
}
