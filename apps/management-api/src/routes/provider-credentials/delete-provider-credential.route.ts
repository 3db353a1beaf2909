import { runChange } from '../../changes/run-change';
import { describeCredential, getCredential } from '../../records/provider-credentials';
import { requireId } from '../../records/require-id';
import { defineRoute, done, noBody } from '../../route/route';

export const deleteProviderCredential = defineRoute({
  id: 'delete-provider-credential',
  body: noBody,
  run: async (call, parts) => {
    const { organizationId } = call;
    const id = requireId(call.params['id'], 'provider credential');
    await runChange(parts, { ...call, action: 'delete-provider-credential' }, async (tx) => {
      const before = describeCredential(await getCredential(tx, organizationId, id));
      await tx.providerCredential.deleteMany({ where: { id, organizationId } });
      return {
        result: undefined,
        audit: { targetKind: 'provider-credential', targetId: id, before, after: null },
        changed: [{ entity: 'provider-credential', entityId: id }],
      };
    });
    return done;
  },
});
