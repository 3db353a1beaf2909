import { digestApiKey, generateApiKey } from '@weir/access';
import type { ManagementParts } from '../route/management-parts';
import { revokeExposed } from './revoke-exposed';

it('comes to every key of a report, although one of them cannot be revoked, and then says so', async () => {
  const [first, second] = [generateApiKey('test'), generateApiKey('test')];
  const rowOf = (token: string, name: string) => ({
    ...{ id: name, organizationId: name, formerHash: null, previousHash: null },
    hash: digestApiKey(token, 'pepper'),
  });
  const asked: string[] = [];
  const parts = {
    peppers: { current: 'pepper' },
    database: {
      prisma: { apiKey: { findMany: () => Promise.resolve([rowOf(first, 'one'), rowOf(second, 'two')]) } },
      asOrganization: (id: string) => ({
        transact: () => (asked.push(id), id === 'one' ? Promise.reject(new Error('the row is locked')) : Promise.resolve(undefined)),
      }),
    },
  } as unknown as ManagementParts;
  const exposed = [first, second].map((token) => ({ token, type: 'weir', source: null, url: null }));

  await expect(revokeExposed(parts, exposed, { requestId: 'r', ip: null })).rejects.toThrow('the row is locked');
  expect(asked).toEqual(['one', 'two']);
});
