import { runChange } from '../../changes/run-change';
import { keepAnAdministrator } from '../../records/administrators';
import { auditApiKey, getApiKey } from '../../records/api-keys';
import { requireId } from '../../records/require-id';
import { defineRoute, done, noBody } from '../../route/route';

export const revokeApiKey = defineRoute({
  id: 'revoke-api-key',
  body: noBody,
  run: async (call, parts) => {
    const { organizationId } = call;
    const id = requireId(call.params['id'], 'API key');
    const found = await parts.database.asOrganization(organizationId).transact((tx) => getApiKey(tx, organizationId, id));
    if (found.status === 'revoked') return done; // nothing brings a key back, so asking again asks for what is
    await runChange(parts, { ...call, action: 'revoke-api-key' }, async (tx) => {
      const before = auditApiKey(await getApiKey(tx, organizationId, id));
      const data = { status: 'revoked', revokedAt: new Date(parts.now()), version: { increment: 1 } };
      const revoke = () => tx.apiKey.update({ where: { id }, data });
      await (found.permManage === 'write' ? keepAnAdministrator(tx, { organizationId, nowMs: parts.now() }, revoke) : revoke());
      const after = auditApiKey(await getApiKey(tx, organizationId, id));
      return {
        result: undefined,
        audit: { targetKind: 'api-key', targetId: id, before, after },
        changed: [{ entity: 'api-key', entityId: id }],
      };
    });
    return done;
  },
});
