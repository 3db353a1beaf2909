import { rotateProviderCredentialBody } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { runChange } from '../../changes/run-change';
import { checkIsNewAccount, describeCredential, getCredential, readAccount, sealAccount } from '../../records/provider-credentials';
import { requireId } from '../../records/require-id';
import { defineRoute, ok } from '../../route/route';

export const rotateProviderCredential = defineRoute({
  id: 'rotate-provider-credential',
  body: rotateProviderCredentialBody,
  run: async (call, parts) => {
    const { organizationId, body } = call;
    const id = requireId(call.params['id'], 'provider credential');
    const before = await parts.database.asOrganization(organizationId).transact((tx) => getCredential(tx, organizationId, id));
    const { provider } = before;
    const account = await readAccount(provider, body, parts);
    const sealed = await sealAccount(parts, account, { organizationId, recordId: id, version: before.version + 1 });
    const rotated = await runChange(parts, { ...call, action: 'rotate-provider-credential' }, async (tx) => {
      await checkIsNewAccount(tx, { organizationId, provider, fingerprint: sealed.fingerprint });
      // The secret is bound to its version, so it cannot follow another rotation that came between.
      const { count } = await tx.providerCredential.updateMany({ where: { id, organizationId, version: before.version }, data: sealed });
      if (count === 0) throw new GatewayError('conflict', 'The provider credential was changed at the same time. Try again.');
      const after = describeCredential(await getCredential(tx, organizationId, id));
      return {
        result: after,
        audit: { targetKind: 'provider-credential', targetId: id, before: describeCredential(before), after },
        changed: [{ entity: 'provider-credential', entityId: id }],
      };
    });
    return ok({ provider_credential: rotated });
  },
});
