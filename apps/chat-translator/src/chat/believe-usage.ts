import { promptTokens, type Usage } from '@weir/canonical';

/** Ten windows of two million tokens: what a provider's own tools read over many turns stays below it. */
export const PROMPT_TOKENS_MAX = 20_000_000;
const OUTPUT_TOKENS_MAX = 1_000_000;
/** Several answers at once, and several turns of a provider's own tools, come to more than one answer may have. */
const ANSWERS_MAX = 10;

/** Whether a usage that a provider told can be true. What cannot is not charged: a broken counter must not empty an account. */
export function isBelievable(told: Usage, outputMax: () => number | undefined): boolean {
  if (promptTokens(told) > PROMPT_TOKENS_MAX) return false;
  return told.output <= OUTPUT_TOKENS_MAX || told.output <= ANSWERS_MAX * (outputMax() ?? 0);
}
