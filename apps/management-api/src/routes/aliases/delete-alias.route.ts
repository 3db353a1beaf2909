import { readRuleAddress } from '../../records/rule-routes';
import { deleteRule } from '../../records/rules';
import { defineRoute, done, noBody } from '../../route/route';

export const deleteAlias = defineRoute({
  id: 'delete-alias',
  body: noBody,
  run: async (call, parts) => {
    await deleteRule(parts, { ...call, action: 'delete-alias' }, { address: readRuleAddress('alias', call.params) });
    return done;
  },
});
