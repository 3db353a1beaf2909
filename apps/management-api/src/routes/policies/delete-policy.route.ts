import { checkPolicyIsUnused } from '../../records/rule-models';
import { deleteRule } from '../../records/rules';
import { defineRoute, done, noBody } from '../../route/route';

export const deletePolicy = defineRoute({
  id: 'delete-policy',
  body: noBody,
  run: async (call, parts) => {
    const { organizationId } = call;
    const name = call.params['name'] ?? '';
    await deleteRule(
      parts,
      { ...call, action: 'delete-policy' },
      { address: { kind: 'policy', name }, check: (tx) => checkPolicyIsUnused(tx, { organizationId, name }) },
    );
    return done;
  },
});
