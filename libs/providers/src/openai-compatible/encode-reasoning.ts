import type { ChatRequest, ReasoningEffort, ReasoningOptions } from '@weir/canonical';
import type { JsonRecord } from '../wire/json-value';
import type { EncodeContext } from './encode-request';

/** How much to think, in the one way this provider has to say it. */
export function encodeReasoning(request: ChatRequest, { provider, target, losses }: EncodeContext): JsonRecord {
  const wish = request.reasoning;
  if (wish === undefined) return {};
  const effort = effortOf(wish);
  if (effort === undefined) return {};
  if (!target.model.supportsReasoning || provider.reasoningParam === 'none') {
    if (effort !== 'none') losses.dropped.add('reasoning_effort');
    return {};
  }
  if (wish.effort === undefined && wish.budgetTokens !== undefined && provider.reasoningParam !== 'reasoning-object')
    losses.approximated.add('reasoning');
  const isOn = effort !== 'none';
  switch (provider.reasoningParam) {
    case 'effort':
      return { reasoning_effort: effort };
    case 'thinking':
      if (isOn) losses.approximated.add('reasoning_effort');
      return { thinking: { type: isOn ? 'enabled' : 'disabled' } };
    case 'enable-thinking':
      if (isOn && wish.budgetTokens === undefined) losses.approximated.add('reasoning_effort');
      return { enable_thinking: isOn, ...(isOn && wish.budgetTokens !== undefined ? { thinking_budget: wish.budgetTokens } : {}) };
    case 'reasoning-object':
      return { reasoning: wish.budgetTokens === undefined ? { effort } : { max_tokens: wish.budgetTokens } };
  }
}

function effortOf(wish: ReasoningOptions): ReasoningEffort | undefined {
  if (wish.effort !== undefined) return wish.effort;
  if (wish.mode === 'disabled') return 'none';
  if (wish.budgetTokens !== undefined) return wish.budgetTokens <= 2048 ? 'low' : wish.budgetTokens <= 10_000 ? 'medium' : 'high';
  return wish.mode === undefined ? undefined : 'medium';
}
