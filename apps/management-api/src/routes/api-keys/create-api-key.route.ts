import { createApiKeyBody } from '@weir/contracts';
import { runChange } from '../../changes/run-change';
import { checkAccessListExists } from '../../records/access-lists';
import { createApiKeySecret } from '../../records/api-key-secret';
import { auditApiKey, getApiKey } from '../../records/api-keys';
import { readExpiry } from '../../records/expiry';
import { checkGroupExists } from '../../records/groups';
import { ensureLabelSet } from '../../records/label-sets';
import { limitToPico } from '../../records/usd';
import { created, defineRoute } from '../../route';

export const createApiKey = defineRoute({
  id: 'create-api-key',
  body: createApiKeyBody,
  run: async (call, parts) => {
    const { organizationId, body, principal } = call;
    const { secret, stored } = createApiKeySecret(parts);
    const expiresAt = readExpiry(body.expires_at ?? null, parts.now());
    const monthlyLimitPico = limitToPico(body.monthly_limit ?? null, 'monthly_limit');
    const owner = principal.key.userId;
    const id = await runChange(parts, { ...call, action: 'create-api-key' }, async (tx) => {
      const groupId = body.group_id ?? null;
      const accessListId = body.access_list_id ?? null;
      await checkGroupExists(tx, organizationId, groupId);
      await checkAccessListExists(tx, organizationId, accessListId);
      const labelSetId = await ensureLabelSet(tx, { organizationId, kind: 'key', labels: body.labels ?? {} });
      const permissions = { permManage: body.permissions?.manage ?? 'none', permCompletions: body.permissions?.completions ?? 'write' };
      const owned = { organizationId, userId: owner, createdBy: owner, name: body.name };
      const key = await tx.apiKey.create({
        data: { ...owned, ...stored, ...permissions, groupId, accessListId, labelSetId, monthlyLimitPico, expiresAt },
      });
      const after = auditApiKey(await getApiKey(tx, organizationId, key.id));
      return {
        result: key.id,
        audit: { targetKind: 'api-key', targetId: key.id, before: null, after },
        changed: [{ entity: 'api-key', entityId: key.id }],
      };
    });
    return created({ api_key_id: id, api_key: secret });
  },
});
