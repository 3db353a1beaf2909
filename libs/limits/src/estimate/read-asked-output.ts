import type { ChatDialect } from '@weir/contracts';

/** How much output a request allows. */
export type AskedOutput = {
  /** Per choice; null when it does not say. */
  readonly tokens: number | null;
  readonly choices: number;
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
/** More than anybody gives; JSON can say Infinity. */
const CHOICES_MAX = 1_000_000;

/** Reads what is asked for; what is no number is left for whoever decodes the request to refuse. */
export function readAskedOutput(json: Json, dialect: ChatDialect): AskedOutput {
  let tokens: number | null = null;
  for (const name of OUTPUT_LIMITS[dialect]) {
    const value = json[name];
    if (typeof value === 'number' && value >= 0) tokens = Math.max(tokens ?? TOKENS_MIN, Math.ceil(value));
  }
  const { n } = json;
  return { tokens, choices: typeof n === 'number' && n > 1 ? Math.min(Math.ceil(n), CHOICES_MAX) : 1 };
}
