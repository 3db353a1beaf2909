import type { ChatRequest, LossReport, ReasoningEffort, ReasoningOptions } from '@weir/canonical';
import type { JsonRecord } from '../wire/json-value';
import type { EncodeContext } from './context';
import { nearestEffort } from './nearest-effort';

/** How much to think, in the one way this provider has to say it. */
export function encodeReasoning(request: ChatRequest, { provider, target, losses }: EncodeContext): JsonRecord {
  const wish = request.reasoning;
  const asked = wish === undefined ? undefined : effortOf(wish);
  if (wish === undefined || asked === undefined) return {};
  if (!target.model.supportsReasoning || provider.reasoningParam === 'none') {
    if (asked !== 'none') losses.dropped.add('reasoning_effort');
    return {};
  }
  const effort = nearestEffort(asked, provider);
  if (effort !== asked) losses.approximated.add('reasoning_effort');
  reportRounding(wish, provider.reasoningParam, losses);
  return writeEffort(provider.reasoningParam, effort, wish.budgetTokens);
}

type ReasoningParam = Exclude<EncodeContext['provider']['reasoningParam'], 'none'>;

/** Efforts say nothing to a switch, and budgets nothing to an effort. */
function reportRounding(wish: ReasoningOptions, param: ReasoningParam, losses: LossReport): void {
  const takesBudget = param === 'reasoning-object' || param === 'enable-thinking';
  const takesEffort = param === 'effort' || param === 'reasoning-object';
  if (wish.budgetTokens !== undefined && !takesBudget) losses.approximated.add('reasoning');
  if (wish.effort !== undefined && wish.effort !== 'none' && !takesEffort) losses.approximated.add('reasoning_effort');
}

function writeEffort(param: ReasoningParam, effort: ReasoningEffort, budgetTokens: number | undefined): JsonRecord {
  const isOn = effort !== 'none';
  switch (param) {
    case 'effort':
      return { reasoning_effort: effort };
    case 'thinking':
      return { thinking: { type: isOn ? 'enabled' : 'disabled' } };
    case 'enable-thinking':
      return { enable_thinking: isOn, ...(isOn && budgetTokens !== undefined ? { thinking_budget: budgetTokens } : {}) };
    case 'reasoning-object':
      return { reasoning: budgetTokens === undefined ? { effort } : { max_tokens: budgetTokens } };
  }
}

function effortOf(wish: ReasoningOptions): ReasoningEffort | undefined {
  if (wish.effort !== undefined) return wish.effort;
  if (wish.mode === 'disabled') return 'none';
  if (wish.budgetTokens !== undefined) return wish.budgetTokens <= 2048 ? 'low' : wish.budgetTokens <= 10_000 ? 'medium' : 'high';
  return wish.mode === undefined ? undefined : 'medium';
}
