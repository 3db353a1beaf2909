import { promptTokens, type Usage } from '@weir/canonical';
import type { PromptMeasure } from './measure-prompt';
import { IMAGE_TOKENS_MAX } from './bound-request';

/**
 * How many times the most that a request should come to a provider may tell before nobody believes it: room for vendors
 * that count otherwise than they document, and for several turns of tools of their own.
 */
export const DOUBTED_ABOVE = 10;

/** Ten windows of two million tokens: what a provider's own tools read over many turns stays below it. */
const PROMPT_TOKENS_MAX = 20_000_000;
/** What a provider may read on its own account for a request that asks for nothing of the kind stays below it. */
const PROMPT_TOKENS_USUAL = 1_000_000;
const OUTPUT_TOKENS_USUAL = 1_000_000;
const SEARCHES_USUAL = 1_000;

/** The most that a request may come to. Each is asked for only where a provider told more than is usual. */
export type ChatMost = {
  prompt(): PromptMeasure;
  /** Tokens of all answers together; undefined where nothing limits them. */
  output(): number | undefined;
};

/** Whether a usage that a provider told can be true. What cannot is not charged: a broken counter must not empty an account. */
export function isBelievable(told: Usage, most: ChatMost): boolean {
  return isPromptBelievable(promptTokens(told), most) && isOutputBelievable(told, most) && areSearchesBelievable(told, most);
}

/** The same of the answer alone. */
export function isOutputBelievable({ output }: Usage, most: Pick<ChatMost, 'output'>): boolean {
  return output <= OUTPUT_TOKENS_USUAL || output <= DOUBTED_ABOVE * (most.output() ?? 0);
}

function isPromptBelievable(told: number, most: ChatMost): boolean {
  if (told <= PROMPT_TOKENS_USUAL) return true;
  if (told > PROMPT_TOKENS_MAX) return false;
  const { textTokens, images, isOpenEnded } = most.prompt();
  return isOpenEnded || told <= DOUBTED_ABOVE * (textTokens + images * IMAGE_TOKENS_MAX);
}

function areSearchesBelievable({ searches }: Usage, most: ChatMost): boolean {
  return searches <= SEARCHES_USUAL || searches <= DOUBTED_ABOVE * (most.prompt().searches ?? 0);
}

/** What a provider adds to each text of an embedding request, and to all of them. */
const TOKENS_PER_INPUT = 100;
const INPUT_TOKENS_MIN = 1_000;

/** The same of embeddings: `estimate` is of the tokens of all `inputs`. */
export function isEmbeddingBelievable(told: number, { estimate, inputs }: { readonly estimate: number; readonly inputs: number }): boolean {
  return told <= DOUBTED_ABOVE * (INPUT_TOKENS_MIN + estimate + inputs * TOKENS_PER_INPUT);
}
