import { checkLimitIsUnwatched } from '../../records/alerts';
import { readRuleAddress } from '../../records/rule-routes';
import { deleteRule } from '../../records/rules';
import { requireId } from '../../records/require-id';
import { defineRoute, done, noBody } from '../../route/route';

export const deleteLimit = defineRoute({
  id: 'delete-limit',
  body: noBody,
  run: async (call, parts) => {
    const { organizationId } = call;
    const id = requireId(call.params['id'], 'limit');
    await deleteRule(
      parts,
      { ...call, action: 'delete-limit' },
      { address: readRuleAddress('limit', call.params), check: (tx) => checkLimitIsUnwatched(tx, organizationId, id) },
    );
    return done;
  },
});
