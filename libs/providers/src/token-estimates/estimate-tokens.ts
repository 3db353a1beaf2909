import { countTokens } from './count-tokens';
import { OTHER_FAMILY, TOKEN_FAMILIES, type TokenFamily } from './token-families';

/** What a reply says, as far as its model was billed for it. */
export type ReplyTexts = {
  readonly text: string;
  /** Calls of tools. */
  readonly calls: number;
};

/** What a prompt says. */
type PromptTexts = {
  readonly text: string;
  readonly turns: number;
  /** JSON of the definitions of tools; empty without any. */
  readonly tools: string;
};

/** Which family counts for a model; `name` is the one that its provider calls it by. */
export function findTokenFamily(name: string): TokenFamily {
  const small = name.toLowerCase();
  return TOKEN_FAMILIES.find(({ names }) => names.test(small)) ?? OTHER_FAMILY;
}

/** The best estimate of a text alone. No bound: what a request may cost at most is computed from its bytes. */
export function estimateTextTokens(text: string, model: string): number {
  const { encoding, factor } = findTokenFamily(model);
  return Math.round(factor * countTokens(text, encoding));
}

/** The best estimate of what a provider would report for a reply; 0 for one that says nothing. */
export function estimateReplyTokens({ text, calls }: ReplyTexts, model: string): number {
  if (text === '' && calls === 0) return 0;
  const { perReply, perCall } = findTokenFamily(model);
  return estimateTextTokens(text, model) + perReply + calls * perCall;
}

/** The same for a prompt, but for its pictures and recordings. */
export function estimatePromptTokens({ text, turns, tools }: PromptTexts, model: string): number {
  const { perPrompt, perTurn, perTools, toolFactor } = findTokenFamily(model);
  const toolTokens = tools === '' ? 0 : Math.round(toolFactor * estimateTextTokens(tools, model)) + perTools;
  return estimateTextTokens(text, model) + perPrompt + turns * perTurn + toolTokens;
}
