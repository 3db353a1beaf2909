import { readRuleAddress } from '../../records/rule-routes';
import { deleteRule } from '../../records/rules';
import { defineRoute, done, noBody } from '../../route/route';

export const deleteGuardrail = defineRoute({
  id: 'delete-guardrail',
  body: noBody,
  run: async (call, parts) => {
    await deleteRule(parts, { ...call, action: 'delete-guardrail' }, { address: readRuleAddress('guardrail', call.params) });
    return done;
  },
});
