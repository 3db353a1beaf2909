import type { KeyRecord, Principal } from '@weir/access';
import { GatewayError } from '@weir/errors';
import { findPlannedKey } from './find-planned-key';

const OTHER = { apiKeyId: 'other', organizationId: 'ours' } as KeyRecord;

function caller(more: Partial<KeyRecord> = {}): Principal {
  const permissions = { manage: 'read', completions: 'none' };
  return { key: { apiKeyId: 'own', organizationId: 'ours', isAdministrator: true, permissions, ...more } as unknown as KeyRecord };
}

describe('whose request is planned', () => {
  const findById = jest.fn((organizationId: string, apiKeyId: string) =>
    Promise.resolve(organizationId === 'ours' && apiKeyId === 'other' ? OTHER : undefined),
  );
  const find = (principal: Principal, id?: string) => findPlannedKey(principal, id, { findById });

  it('is the caller’s own, which needs no look-up and no permission', async () => {
    const member = caller({ isAdministrator: false });
    expect([await find(member), await find(member, 'own')]).toEqual([member.key, member.key]);
    expect(findById).not.toHaveBeenCalled();
  });

  it('is any of the organization’s for administrators who may read, and no one else’s', async () => {
    expect(await find(caller(), 'other')).toBe(OTHER);
    await expect(find(caller(), 'unknown')).rejects.toMatchObject({ code: 'not_found', details: { field: 'api_key_id' } });
    await expect(find(caller({ organizationId: 'theirs' }), 'other')).rejects.toMatchObject({ code: 'not_found' });
    const none = { manage: 'none', completions: 'write' } as KeyRecord['permissions'];
    for (const refused of [caller({ isAdministrator: false }), caller({ permissions: none })]) {
      await expect(find(refused, 'other')).rejects.toMatchObject({ code: 'permission_denied' });
    }
  });

  it('says so when keys cannot be read', async () => {
    const broken = { findById: () => Promise.reject(new Error('away')) };
    await expect(findPlannedKey(caller(), 'other', broken)).rejects.toEqual(expect.any(GatewayError));
    await expect(findPlannedKey(caller(), 'other', broken)).rejects.toMatchObject({ code: 'dependency_down' });
  });
});
