import { listOwnKeys, shareOf, writeOwnAbout } from './own-limit-words';

describe('the keys whose limits a member sees', () => {
  const key = { id: 'one', name: 'first' };
  const listed = (id: string, owner: string | null, status = 'active') => ({
    id,
    name: id,
    status,
    created_by: owner === null ? null : { id: owner },
  });

  it('are the one that is signed in with, and the others of the member that are in force', () => {
    const keys = [
      listed('one', 'ann'),
      listed('two', 'ann'),
      listed('three', 'bob'),
      listed('four', 'ann', 'revoked'),
      listed('five', null),
    ];
    expect(listOwnKeys(keys, { key, memberId: 'ann' }).map(({ id }) => id)).toEqual(['one', 'two']);
  });

  it('are that one alone where the key is no member’s', () => {
    expect(listOwnKeys([listed('five', null)], { key, memberId: undefined })).toEqual([key]);
  });
});

it.each([
  [{ used: '2.5', limit: '10' }, 0.25],
  [{ used: '0', limit: '0' }, 1],
  [{ used: null, limit: '60' }, undefined],
])('how full %j is', (limit, share) => {
  expect(shareOf(limit)).toBe(share);
});

it('says whom a limit is about without ids', () => {
  const write = (scope: 'member' | 'group' | 'organization' | 'key') => writeOwnAbout({ scope, about: `${scope} of 1234` });
  expect([write('member'), write('group'), write('organization'), write('key')]).toEqual([
    'you, over all of your keys',
    'the group of this key',
    'the whole organization',
    'key of 1234',
  ]);
});
