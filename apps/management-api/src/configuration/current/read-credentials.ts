import { listCredentials, openAccount } from '../../records/provider-credentials';
import { EVERYTHING } from '../../records/pages';
import type { FoundObject, Reading } from './found-object';

/** The organization's own accounts at providers: of their secrets, what they can be compared by. */
export async function readCredentials({ tx, organizationId, parts, digest }: Reading): Promise<FoundObject[]> {
  const found: FoundObject[] = [];
  for (const row of await listCredentials(tx, organizationId, EVERYTHING)) {
    const { id, provider, name, mode } = row;
    const secrets = Object.entries(await openAccount(parts, row));
    const account = Object.fromEntries(secrets.map(([field, value]) => [field, digest(value)]));
    found.push({ kind: 'provider_credential', id, ownName: `${provider}/${name}`, fields: { provider, name, mode, account } });
  }
  return found;
}
