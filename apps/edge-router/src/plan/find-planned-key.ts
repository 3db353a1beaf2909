import type { KeyLookup, KeyRecord, Principal } from '@weir/access';
import { GatewayError } from '@weir/errors';

/** Whose request a plan is for: the calling key's own, or, for administrators, any key of their organization. */
export async function findPlannedKey({ key }: Principal, apiKeyId: string | undefined, keys: KeyLookup): Promise<KeyRecord> {
  if (apiKeyId === undefined || apiKeyId === key.apiKeyId) return key;
  if (!key.isAdministrator || key.permissions.manage === 'none') {
    throw new GatewayError(
      'permission_denied',
      'Only administrators of the organization may plan requests of other keys, with a key that has the permission "manage: read". Leave api_key_id out to plan for this key.',
      { field: 'api_key_id' },
    );
  }
  const found = await keys.findById(key.organizationId, apiKeyId).catch((cause: unknown) => {
    throw new GatewayError('dependency_down', 'The key could not be read at the moment. Try again shortly.', { cause });
  });
  if (found === undefined) throw new GatewayError('not_found', `This organization has no API key "${apiKeyId}".`, { field: 'api_key_id' });
  return found;
}
