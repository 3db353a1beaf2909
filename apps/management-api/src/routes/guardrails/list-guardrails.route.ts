import { defineRuleList } from '../../records/rule-routes';

export const listGuardrails = defineRuleList({ id: 'list-guardrails', kind: 'guardrail', name: 'guardrails' });
