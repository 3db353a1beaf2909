import { toCount } from '@weir/canonical';

export type ReportedOutput = {
  /** What was told as the answer. */
  readonly completion: number;
  readonly reasoning: number;
  /** As told, whatever stands there. */
  readonly prompt: unknown;
  readonly total: unknown;
};

/**
 * Output tokens with the reasoning in them, of a provider that may have told it beside the answer. The total proves
 * which of both: without one the two counts are added.
 */
export function includeReasoning({ completion, reasoning, prompt, total }: ReportedOutput): number {
  const all = toCount(total);
  const beyondPrompt = all - toCount(prompt);
  return all > 0 && beyondPrompt >= completion && beyondPrompt <= completion + reasoning ? beyondPrompt : completion + reasoning;
}
