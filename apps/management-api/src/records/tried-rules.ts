import type { GuardrailDocument } from '@weir/contracts';
import type { GuardrailRule, Stage, tryRules } from '@weir/guardrails';

/** A guardrail that is tried out: one that is there, or one that may be written. */
export type TriedRule = { readonly id: string | null; readonly rule: GuardrailRule };

type Written = { readonly id: string | null; readonly name: string; readonly document: Omit<GuardrailDocument, 'api_key_id' | 'group_id'> };

export function readTriedRule({ id, name, document }: Written): TriedRule {
  const { detectors, action, stage, on_error: onError, scanner_url: scannerUrl } = document;
  const scanner = scannerUrl === undefined ? {} : { scannerUrl };
  return { id, rule: { id: id ?? 'tried', version: 0, name, detectors, action, stage, onError, ...scanner } };
}

export function describeTriedRules(asked: readonly TriedRule[], stage: Stage, tried: ReturnType<typeof tryRules>): object {
  const named = new Map(asked.map(({ id, rule }) => [rule, { id, name: rule.name }]));
  const isForStage = ({ rule }: TriedRule): boolean => rule.stage === 'both' || rule.stage === stage;
  return {
    outcome: tried.outcome,
    text: tried.text,
    findings: tried.findings.map(({ rule, detector, start, end }) => ({
      ...{ guardrail: named.get(rule), detector, action: rule.action, start, end },
    })),
    not_asked: asked.flatMap((one) => {
      if (!isForStage(one)) return [{ guardrail: named.get(one.rule), reason: 'stage' }];
      return one.rule.scannerUrl === undefined ? [] : [{ guardrail: named.get(one.rule), reason: 'scanner' }];
    }),
  };
}
