import { defineRuleReader } from '../../records/rule-routes';

export const readAlias = defineRuleReader('alias');
