import { BUILT_IN_DETECTORS } from '@weir/contracts';
import { createRuleCompiler, type CompiledRules } from '../rules/compile-rules';
import type { GuardrailRule } from '../rules/guardrail-rule';

let count = 0;

/** A rule of any kind; every one has an id of its own, so that none is taken for another. */
function makeRule(rule: Partial<GuardrailRule>): GuardrailRule {
  count += 1;
  return {
    id: `rule-${count}`,
    version: 1,
    name: 'no private data',
    detectors: [...BUILT_IN_DETECTORS],
    action: 'mask',
    stage: 'both',
    onError: 'closed',
    ...rule,
  };
}

export function compile(...rules: readonly Partial<GuardrailRule>[]): CompiledRules {
  return createRuleCompiler()(rules.map(makeRule));
}
