import { readRuleAddress } from '../../records/rule-routes';
import { deleteRule } from '../../records/rules';
import { defineRoute, done, noBody } from '../../route/route';

export const deleteLimit = defineRoute({
  id: 'delete-limit',
  body: noBody,
  run: async (call, parts) => {
    await deleteRule(parts, { ...call, action: 'delete-limit' }, { address: readRuleAddress('limit', call.params) });
    return done;
  },
});
