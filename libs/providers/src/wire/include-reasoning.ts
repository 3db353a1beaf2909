import { toCount } from '@weir/canonical';

type ReportedOutput = {
  /** Reported for the answer. */
  readonly completion: number;
  readonly reasoning: number;
  /** As reported, of any type. */
  readonly prompt: unknown;
  readonly total: unknown;
};

/**
 * Output tokens with the reasoning in them, of a provider that may have reported it beside the answer. The total proves
 * which of both: without one the two counts are added.
 */
export function includeReasoning({ completion, reasoning, prompt, total }: ReportedOutput): number {
  const all = toCount(total);
  const beyondPrompt = all - toCount(prompt);
  return all > 0 && beyondPrompt >= completion && beyondPrompt <= completion + reasoning ? beyondPrompt : completion + reasoning;
}
