import type { ChatRequest, ChatTurn, ReasoningEffort } from '@weir/canonical';
import type { JsonRecord } from '../../wire/json-value';
import { isOwnState } from './own-state';
import type { EncodeContext } from './context';
import { findModelAge, type ModelAge } from './model-age';

type Thinking = { readonly isOn: boolean; readonly thinking: JsonRecord | undefined; readonly effort: string | undefined };
type ThinkingContext = EncodeContext & { readonly maxTokens: number };

const OFF: Thinking = { isOn: false, thinking: undefined, effort: undefined };
const DISABLED: Thinking = { isOn: false, thinking: { type: 'disabled' }, effort: undefined };
const BUDGET_MIN = 1024;
const BUDGETS: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 32_000,
  max: 32_000,
};

/** How much of the output may be thought at most: the rest is for the answer. Those who ask for much thought get most of it. */
const MODEST_SHARE = 0.5;
const LARGEST_SHARE = 0.8;
const MODEST: ReadonlySet<ReasoningEffort> = new Set(['minimal', 'low', 'medium']);

/** How much to think, in the way the model's generation understands. */
export function encodeThinking(request: ChatRequest, context: ThinkingContext): Thinking {
  const wish = request.reasoning;
  if (wish === undefined || (wish.effort === undefined && wish.budgetTokens === undefined && wish.mode === undefined)) return OFF;
  if (!context.target.model.supportsReasoning) {
    if (wish.effort !== 'none' && wish.mode !== 'disabled') context.losses.dropped.add('reasoning_effort');
    return OFF;
  }
  if (wish.effort === 'none' || wish.mode === 'disabled') return DISABLED;
  const age = findModelAge(context.target.attempt.upstreamModel);
  return age.thinking === 'adaptive' ? encodeAdaptive(request, age, context) : encodeBudget(request, context);
}

function encodeAdaptive(request: ChatRequest, age: ModelAge, { losses }: ThinkingContext): Thinking {
  const { effort, budgetTokens } = request.reasoning ?? {};
  if (budgetTokens !== undefined) losses.approximated.add('reasoning');
  const word = effort ?? (budgetTokens === undefined ? undefined : effortOfBudget(budgetTokens));
  return {
    isOn: true,
    thinking: { type: 'adaptive', ...(age.hidesThinking ? { display: 'summarized' } : {}) },
    effort: word === undefined ? undefined : nearestEffort(word, age, losses),
  };
}

function nearestEffort(effort: ReasoningEffort, age: ModelAge, losses: EncodeContext['losses']): string {
  if (age.efforts.includes(effort)) return effort;
  losses.approximated.add('reasoning_effort');
  return effort === 'minimal' || effort === 'none' ? 'low' : 'high';
}

function effortOfBudget(tokens: number): ReasoningEffort {
  return tokens <= 2048 ? 'low' : tokens <= 10_000 ? 'medium' : 'high';
}

/** The budget is below `max_tokens`, which bounds the price and is never raised here. */
function encodeBudget(request: ChatRequest, { family, losses, maxTokens }: ThinkingContext): Thinking {
  const { wanted, budget } = chooseBudget(request.reasoning ?? {}, maxTokens);
  if (budget === undefined || lacksThinking(request, family)) {
    losses.approximated.add('reasoning_effort');
    return DISABLED;
  }
  if (budget < wanted) losses.approximated.add('reasoning_effort');
  return { isOn: true, thinking: { type: 'enabled', budget_tokens: budget }, effort: undefined };
}

type Budget = { readonly wanted: number; readonly budget: number | undefined };

/** A number is the caller's own choice, as long as the provider takes it; a word leaves a fair share to the answer. */
function chooseBudget({ budgetTokens, effort = 'medium' }: NonNullable<ChatRequest['reasoning']>, maxTokens: number): Budget {
  const wanted = Math.max(BUDGET_MIN, budgetTokens ?? BUDGETS[effort]);
  if (budgetTokens !== undefined && wanted < maxTokens) return { wanted, budget: wanted };
  const share = budgetTokens === undefined && MODEST.has(effort) ? MODEST_SHARE : LARGEST_SHARE;
  const budget = Math.max(BUDGET_MIN, Math.min(wanted, Math.floor(maxTokens * share)));
  return { wanted, budget: budget <= maxTokens * LARGEST_SHARE ? budget : undefined };
}

/** In the middle of a tool loop these models refuse to think on where the loop has lost the thinking it began with. */
function lacksThinking({ turns }: ChatRequest, family: string): boolean {
  const first = findLoopStart(turns);
  return first !== undefined && !first.content.some((block) => block.type === 'reasoning' && isOwnState(block.state, family));
}

/**
 * The answer with which the loop began that the conversation is in the middle of: a loop goes on as long as every answer is
 * followed by results of tools, whatever else is said along with them. Undefined where there is none.
 */
function findLoopStart(turns: readonly ChatTurn[]): ChatTurn | undefined {
  let first: ChatTurn | undefined;
  let before: 'asked' | 'answered' | 'results' = 'asked';
  for (const turn of turns) {
    if (turn.role === 'assistant') {
      if (before === 'asked') first = turn;
      before = 'answered';
    } else if (turn.role === 'tool') before = 'results';
    else if (before === 'answered') before = 'asked';
  }
  return before === 'results' ? first : undefined;
}
