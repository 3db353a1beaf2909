import type { ReasoningOptions } from '@weir/canonical';
import { dropAbsent } from './drop-absent';
import { findNumber, refuseField, type JsonObject } from './field-readers';

/** The object `thinking` of Messages, which callers of other dialects send for Claude as well. The state is wanted back. */
export function readThinking(thinking: JsonObject): ReasoningOptions {
  const mode = readMode(thinking['type']);
  return {
    mode,
    ...dropAbsent({
      budgetTokens: findNumber(thinking, 'budget_tokens', { min: 1, isInteger: true, path: 'thinking' }),
      summary: thinking['display'] === 'summarized' ? ('auto' as const) : undefined,
      wantsState: mode === 'disabled' ? undefined : true,
    }),
  };
}

function readMode(type: unknown): 'enabled' | 'adaptive' | 'disabled' {
  if (type === 'enabled' || type === 'adaptive' || type === 'disabled') return type;
  if (type === 'between_tools') return 'adaptive';
  return refuseField('thinking.type', 'must be "enabled", "adaptive", "between_tools" or "disabled"');
}
