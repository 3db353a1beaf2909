import { promptTokens, type Usage } from '@weir/canonical';

/** Ten windows of two million tokens: what a provider's own tools read over many turns stays below it. */
export const PROMPT_TOKENS_MAX = 20_000_000;
const OUTPUT_TOKENS_MAX = 1_000_000;
/** Several turns of a provider's own tools come to more than one answer may have. */
const TURNS_MAX = 10;

/** Whether a usage that a provider told can be true. What cannot is not charged: a broken counter must not empty an account. */
export function isBelievable(told: Usage, outputMax: () => number | undefined): boolean {
  return promptTokens(told) <= PROMPT_TOKENS_MAX && isOutputBelievable(told, outputMax);
}

/** The same of the answer alone; `outputMax` is of all answers together. */
export function isOutputBelievable({ output }: Usage, outputMax: () => number | undefined): boolean {
  return output <= OUTPUT_TOKENS_MAX || output <= TURNS_MAX * (outputMax() ?? 0);
}
