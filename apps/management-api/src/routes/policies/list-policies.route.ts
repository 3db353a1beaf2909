import { defineRuleList } from '../../records/rule-routes';

export const listPolicies = defineRuleList({ id: 'list-policies', kind: 'policy', name: 'policies' });
