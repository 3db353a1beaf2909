import { createProviderCredentialBody } from '@weir/contracts';
import { runChange } from '../../changes/run-change';
import { checkIsNewAccount, createCredentialId, describeCredential, readAccount, sealAccount } from '../../records/provider-credentials';
import { created, defineRoute } from '../../route/route';

export const createProviderCredential = defineRoute({
  id: 'create-provider-credential',
  body: createProviderCredentialBody,
  run: async (call, parts) => {
    const { organizationId, body, principal } = call;
    const { provider, mode, name = provider } = body;
    const account = await readAccount(provider, body, parts);
    const id = createCredentialId();
    const sealed = await sealAccount(parts, account, { organizationId, recordId: id, version: 1 });
    await runChange(parts, { ...call, action: 'create-provider-credential' }, async (tx) => {
      await checkIsNewAccount(tx, { organizationId, provider, fingerprint: sealed.fingerprint });
      const row = await tx.providerCredential.create({
        data: { id, organizationId, provider, name, mode, createdBy: principal.key.userId, ...sealed },
      });
      return {
        result: undefined,
        audit: { targetKind: 'provider-credential', targetId: id, before: null, after: describeCredential(row) },
        changed: [{ entity: 'provider-credential', entityId: id }],
      };
    });
    return created({ id });
  },
});
