import { useManagement } from './__fixtures__/use-management';

jest.setTimeout(60_000);

const suite = useManagement();

async function walk(path: string, name: string, limit: number): Promise<unknown[][]> {
  const pages: unknown[][] = [];
  let cursor = '';
  for (;;) {
    const answer = await suite.get(`${path}?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    pages.push(answer[name] as unknown[]);
    if (answer['next'] === null) return pages;
    cursor = String(answer['next']);
  }
}

describe('a list', () => {
  it.each([
    ['/v1/manage/apikey', 'keys', () => suite.make.key()],
    ['/v1/manage/group', 'groups', () => suite.make.group()],
    ['/v1/manage/org/member', 'members', () => suite.make.member()],
    ['/v1/manage/access-list', 'access_lists', () => suite.make.list()],
    ['/v1/manage/provider-credential', 'provider_credentials', () => suite.make.credential()],
    ['/v1/manage/policy', 'policies', () => suite.make.policy()],
    ['/v1/manage/alias', 'aliases', () => suite.make.alias()],
    ['/v1/manage/guardrail', 'guardrails', () => suite.make.guardrail()],
    ['/v1/manage/limit', 'limits', () => suite.make.limit()],
  ])('%s comes whole without parameters, and page by page in the same order with them', async (path, name, add) => {
    for (let count = 0; count < 5; count += 1) await add();

    const plain = await suite.get(path);
    const pages = await walk(path, name, 2);

    expect(Object.keys(plain)).toEqual([name]);
    expect(pages.flat()).toEqual(plain[name]);
    expect(pages.slice(0, -1).every((page) => page.length === 2)).toBe(true);
  });

  it('goes on after rows of the same moment, and is not disturbed by rows that come or go', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 6; count += 1) ids.push(await suite.make.list());
    await suite.harness.database.pool.query('update access_list set created_at = $2 where organization_id = $1', [
      suite.ours.id,
      new Date(1e12),
    ]);

    const first = await suite.get('/v1/manage/access-list?limit=3');
    const seen = (first['access_lists'] as { id: string }[]).map(({ id }) => id);
    await suite.send('DELETE', `/v1/manage/access-list/${seen[2]}`);
    await suite.make.list();
    const rest = await suite.get(`/v1/manage/access-list?cursor=${String(first['next'])}`);

    expect(seen).toEqual([...ids].sort().slice(0, 3));
    expect((rest['access_lists'] as { id: string }[]).slice(0, 3).map(({ id }) => id)).toEqual([...ids].sort().slice(3));
    expect((rest['access_lists'] as unknown[]).length).toBe(4);
    expect(rest['next']).toBeNull();
  });
});
