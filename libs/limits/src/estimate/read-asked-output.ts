import type { ChatDialect } from '@weir/contracts';

/** How much output a request allows. */
export type AskedOutput = {
  /** Per choice; null when it does not say. */
  readonly tokens: number | null;
  readonly choices: number;
  /** Output is billed that does not come back: choices that are not the best, or a predicted text that was wrong. */
  readonly hidesOutput?: boolean;
};

type Json = Readonly<Record<string, unknown>>;

/** The members that limit the output of one choice, the one to be set first. */
export const OUTPUT_LIMITS: Readonly<Record<ChatDialect, readonly [string, ...string[]]>> = {
  'chat-completions': ['max_completion_tokens', 'max_tokens'],
  responses: ['max_output_tokens'],
  messages: ['max_tokens'],
};

/** Some providers take no lower limit than this, and are asked for this where the caller wants less. */
const TOKENS_MIN = 16;
/** More than any endpoint lets through; JSON can say Infinity. */
const COUNT_MAX = 1_000_000;

/** Reads what a chat request asks for; `checkPricedMembers` has refused what is no number. */
export function readAskedOutput(json: Json, dialect: ChatDialect): AskedOutput {
  let tokens: number | null = null;
  for (const name of OUTPUT_LIMITS[dialect]) {
    const value = json[name];
    if (typeof value === 'number' && value >= 0) tokens = Math.max(tokens ?? TOKENS_MIN, Math.ceil(value));
  }
  // Servers that know `best_of` generate that many choices and return the best of them.
  const [given, written] = [countOf(json['n']), countOf(json['best_of'])];
  const isPredicted = json['prediction'] !== undefined && json['prediction'] !== null;
  return { tokens, choices: Math.max(given, written), hidesOutput: written > given || isPredicted };
}

/** The same for pictures, of which only the number is limited. */
export function readAskedImages(json: Json): AskedOutput {
  return { tokens: null, choices: countOf(json['n']) };
}

function countOf(value: unknown): number {
  return typeof value === 'number' && value > 1 ? Math.min(Math.ceil(value), COUNT_MAX) : 1;
}
