import { createLiteralDetector } from '../detectors/create-literal-detector';
import type { RuleWatch, StageRules } from './compile-rules';
import type { GuardrailRule } from './guardrail-rule';

/** Texts that a scanner pointed out, for a rule that masks. */
export type Literals = { readonly rule: GuardrailRule; readonly name: string; readonly values: readonly string[] };

/** Rules that also look for what scanners found in this very request. */
export function addLiterals(rules: StageRules, found: readonly Literals[]): StageRules {
  const watches = found.map(({ rule, name, values }): RuleWatch => ({ detector: createLiteralDetector(name, values), role: 'mask', rule }));
  return { ...rules, watches: [...rules.watches, ...watches] };
}
