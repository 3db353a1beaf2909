import { defineRuleList } from '../../records/rule-routes';

export const listAliases = defineRuleList({ id: 'list-aliases', kind: 'alias', name: 'aliases' });
