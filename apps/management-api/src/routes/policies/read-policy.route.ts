import { defineRuleReader } from '../../records/rule-routes';

export const readPolicy = defineRuleReader('policy');
