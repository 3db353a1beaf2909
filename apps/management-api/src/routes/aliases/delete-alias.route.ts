import { checkAliasIsUnused } from '../../records/rule-models';
import { deleteRule } from '../../records/rules';
import { defineRoute, done, noBody } from '../../route/route';

export const deleteAlias = defineRoute({
  id: 'delete-alias',
  body: noBody,
  run: async (call, parts) => {
    const { organizationId } = call;
    const name = call.params['name'] ?? '';
    await deleteRule(
      parts,
      { ...call, action: 'delete-alias' },
      { address: { kind: 'alias', name }, check: (tx) => checkAliasIsUnused(tx, { organizationId, name }) },
    );
    return done;
  },
});
