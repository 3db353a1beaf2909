import { useManagement } from './__fixtures__/use-management';

jest.setTimeout(60_000);

const suite = useManagement();

const ask = (path: string, search: string, more = ''): string => `${path}?search=${encodeURIComponent(search)}${more}`;
const names = async (path: 'apikey' | 'group', search: string, more = ''): Promise<unknown[]> => {
  const json = await suite.get(ask(`/v1/manage/${path}`, search, more));
  return (path === 'apikey' ? json.keys : json.groups).map(({ name }) => name);
};

it('finds keys by a part of their name in whatever case, by their last characters and by their id', async () => {
  await suite.make.key({ name: 'Search Team' });
  await suite.make.key({ name: 'research' });
  const id = await suite.make.key({ name: 'other' });
  const { keys } = await suite.get('/v1/manage/apikey');
  const last4 = String(keys.find((key) => key['id'] === id)?.['last4']);

  expect(await names('apikey', 'SEARCH')).toEqual(['Search Team', 'research']);
  expect(await names('apikey', 'search', '&limit=1')).toEqual(['Search Team']);
  expect(await names('apikey', id)).toEqual(['other']);
  expect(await names('apikey', last4)).toContain('other');
  expect(await names('apikey', 'nowhere')).toEqual([]);
});

it('goes on with the next page of what was found', async () => {
  for (let index = 0; index < 3; index += 1) await suite.make.key({ name: `page ${index}` });
  await suite.make.key({ name: 'between' });
  const first = await suite.get(ask('/v1/manage/apikey', 'page', '&limit=2'));
  const second = await suite.get(ask('/v1/manage/apikey', 'page', `&limit=2&cursor=${String(first['next'])}`));
  expect([...first.keys, ...second.keys].map(({ name }) => name)).toEqual(['page 0', 'page 1', 'page 2']);
  expect(second['next']).toBeNull();
});

it.each(['%', '_', '\\', '%%', `'`, `'; DROP TABLE api_key; --`, '$1', '"><img src=x>', '\u202e', '()[]{}.*+?^|'])(
  'takes every character for itself: %s',
  async (search) => {
    await suite.make.key({ name: 'plain' });
    await suite.make.key({ name: `with ${search} in it` });
    await suite.make.group({ name: `with ${search} in it` });
    await suite.make.group({ name: 'plain' });
    expect(await names('apikey', search)).toEqual([`with ${search} in it`]);
    expect(await names('group', search)).toEqual([`with ${search} in it`]);
    expect((await suite.get(ask('/v1/manage/org/member', search))).members).toEqual([]);
  },
);

it('finds people by their address, and by the words of their name', async () => {
  await suite.make.member({ email: 'ada.l@people.example', first_name: 'Ada', last_name: 'Lovelace' });
  await suite.make.member({ email: 'grace@people.example', first_name: 'Grace', last_name: 'Hopper' });
  const found = async (search: string): Promise<unknown[]> =>
    (await suite.get(ask('/v1/manage/org/member', search))).members.map((member) => member['user_email']);
  expect(await found('PEOPLE.ex')).toEqual(['ada.l@people.example', 'grace@people.example']);
  expect(await found('lovelace ada')).toEqual(['ada.l@people.example']);
  expect(await found('ada hopper')).toEqual([]);
});

it.each(['', '   ', 'x'.repeat(201), 'a\0b'])('refuses what is no text to look for: %j', async (search) => {
  const { status, json } = await suite.send('GET', ask('/v1/manage/apikey', search));
  expect(status).toBe(400);
  expect(json.error).toMatchObject({ param: 'search' });
});

it('shows a member no more than the member reaches', async () => {
  await suite.make.key({ name: 'of the organization' });
  const userId = await suite.make.member();
  const own = await suite.createKey({ name: 'of the member', member_id: userId, permissions: { manage: 'read', completions: 'write' } });
  const reply = await suite.harness.call('GET', ask('/v1/manage/apikey', 'of the'), { key: own.secret });
  expect(reply.json.keys.map(({ name }) => name)).toEqual(['of the member']);
  expect((await suite.harness.call('GET', ask('/v1/manage/group', 'a'), { key: own.secret })).status).toBe(403);
});
