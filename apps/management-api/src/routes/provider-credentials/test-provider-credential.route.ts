import { GatewayError } from '@weir/errors';
import type { AccountFields } from '../../ports/provider-accounts';
import { getCredential, openAccount } from '../../records/provider-credentials';
import { requireId } from '../../records/require-id';
import { defineRoute, noBody, ok } from '../../route/route';

/** Asks the provider itself: `{ok: true}`, or `{ok: false, why}`. */
export const testProviderCredential = defineRoute({
  id: 'test-provider-credential',
  body: noBody,
  run: async ({ params, organizationId }, parts) => {
    const id = requireId(params['id'], 'provider credential');
    const credential = await parts.database.asOrganization(organizationId).transact((tx) => getCredential(tx, organizationId, id));
    if (parts.providerAccounts === undefined) {
      throw new GatewayError(
        'dependency_down',
        'Credentials cannot be tested by this gateway as it is set up. Ask its operator to set CHAT_TRANSLATOR_URL.',
      );
    }
    const fields = await openAccount(parts, credential);
    const probe = await parts.providerAccounts.probe(credential.provider, fields);
    return ok(probe.ok ? probe : { ok: false, why: withoutSecrets(probe.why, fields) });
  },
});

/** A provider may repeat what it was sent. */
function withoutSecrets(text: string, fields: AccountFields): string {
  return Object.values(fields)
    .filter(({ length }) => length >= 8)
    .reduce((cleaned, value) => cleaned.replaceAll(value, '***'), text);
}
