import { defineRuleReader } from '../../records/rule-routes';

export const readGuardrail = defineRuleReader('guardrail');
