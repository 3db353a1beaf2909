import type { KeyLookup, KeyRecord, Principal } from '@weir/access';
import { GatewayError } from '@weir/errors';

/** Whose limits are shown: the calling key's own, another one of the same member, or, for administrators, any key of their organization. */
export async function findLimitedKey({ key }: Principal, apiKeyId: string | undefined, keys: KeyLookup): Promise<KeyRecord> {
  if (apiKeyId === undefined || apiKeyId === key.apiKeyId) return key;
  const found = await keys.findById(key.organizationId, apiKeyId).catch((cause: unknown) => {
    throw new GatewayError('dependency_down', 'The key could not be read at the moment. Try again shortly.', { cause });
  });
  const seesAll = key.isAdministrator && key.permissions.manage !== 'none';
  if (found !== undefined && (seesAll || (key.userId !== null && found.userId === key.userId))) return found;
  if (seesAll) throw new GatewayError('not_found', `This organization has no API key "${apiKeyId}".`, { field: 'api_key_id' });
  // Whether there is such a key is not said either.
  throw new GatewayError(
    'permission_denied',
    'Limits of other members’ keys are for administrators of the organization, with a key that has the permission "manage: read". Leave api_key_id out for this key.',
    { field: 'api_key_id' },
  );
}
