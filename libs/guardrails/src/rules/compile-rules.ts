import { BUILT_IN } from '../detectors/built-in-detectors';
import { createPatternDetector } from '../detectors/create-pattern-detector';
import { createWordList } from '../detectors/create-word-list';
import type { Detector } from '../detectors/detector';
import type { Watch } from '../text/text-window';
import type { GuardrailRule, Stage } from './guardrail-rule';

export type RuleWatch = Watch & { readonly rule: GuardrailRule };

/** What is looked for at one stage, the strictest action first. */
export type StageRules = {
  readonly watches: readonly RuleWatch[];
  /** Rules that also ask somebody else. */
  readonly scanners: readonly (GuardrailRule & { readonly scannerUrl: string })[];
};

export type CompiledRules = Readonly<Record<Stage, StageRules>>;

const ORDER = ['block', 'mask', 'flag'];

/** Makes rules ready to run; for the same rules only once, by the versions they have. */
export function createRuleCompiler(entriesMax = 500): (rules: readonly GuardrailRule[]) => CompiledRules {
  const compiled = new Map<string, CompiledRules>();
  return (rules) => {
    const key = rules.map(({ id, version }) => `${id}@${version}`).join(' ');
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const made = { input: compileStage(rules, 'input'), output: compileStage(rules, 'output') };
    if (compiled.size >= entriesMax) compiled.clear();
    compiled.set(key, made);
    return made;
  };
}

function compileStage(all: readonly GuardrailRule[], stage: Stage): StageRules {
  const rules = all
    .filter((rule) => rule.stage === stage || rule.stage === 'both')
    .sort((one, other) => ORDER.indexOf(one.action) - ORDER.indexOf(other.action));
  const watches = new Map<string, RuleWatch>();
  for (const rule of rules) {
    for (const reported of rule.detectors) {
      // A built-in detector runs once, with the strictest action that any rule takes.
      const key = typeof reported === 'string' ? reported : JSON.stringify(reported);
      if (!watches.has(key)) watches.set(key, { detector: createDetector(reported), role: rule.action, rule });
    }
  }
  return { watches: [...watches.values()], scanners: rules.filter(hasScanner) };
}

function createDetector(reported: GuardrailRule['detectors'][number]): Detector {
  if (typeof reported === 'string') return BUILT_IN[reported];
  return 'words' in reported ? createWordList(reported.name, reported.words) : createPatternDetector(reported.name, reported.pattern);
}

function hasScanner(rule: GuardrailRule): rule is GuardrailRule & { readonly scannerUrl: string } {
  return rule.scannerUrl !== undefined;
}
