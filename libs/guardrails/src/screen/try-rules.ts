import { createRuleCompiler } from '../rules/compile-rules';
import type { GuardrailRule, Stage } from '../rules/guardrail-rule';
import { createMaskBook } from '../rules/mask-book';
import { listFindings, type RuleFinding } from './list-findings';
import { createScreen, createSightings } from './screen';
import { screenText } from './screen-text';

type TriedRules = {
  readonly outcome: 'passed' | 'flagged' | 'masked' | 'blocked';
  /** As it would go on; null where it would not. */
  readonly text: string | null;
  readonly findings: readonly RuleFinding[];
};

/**
 * What would become of a text, and what each rule by itself finds in it. Scanners are not asked, and nothing is kept: not even
 * the rules, since those that are tried out may differ under one version.
 */
export function tryRules(text: string, rules: readonly GuardrailRule[], stage: Stage): TriedRules {
  const compile = (some: readonly GuardrailRule[]) => createRuleCompiler(1)(some)[stage];
  const findings = rules.flatMap((rule) => listFindings(text, compile([rule])));
  const sightings = createSightings();
  const screen = createScreen({ rules: compile(rules), stage, book: createMaskBook([text]), sightings });
  const screened = screenText(text, 'text', screen);
  if (sightings.stop !== undefined) return { outcome: 'blocked', text: null, findings };
  const outcome = screened.isMasked ? 'masked' : sightings.isFlagged ? 'flagged' : 'passed';
  return { outcome, text: screened.text, findings };
}
