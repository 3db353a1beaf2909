import { useManagement } from '../__fixtures__/use-management';

const suite = useManagement();
const PATH = '/v1/manage/org/usage/exports';
const SHA = 'a'.repeat(64);
const FILE = {
  ...{ key: 'p/v1/days/csv/f.csv.gz', dataset: 'days', format: 'csv', compression: 'gzip', rows: 2, bytes: 120, sha256: SHA },
  sums: { spend_usd: '0.000000000001' },
};

async function add(organizationId: string, day: string, revision: number, state = 'published'): Promise<void> {
  const manifest = state === 'writing' ? [null, null] : [`p/${day}-r${revision}.json`, SHA];
  await suite.harness.database.pool.query(
    `INSERT INTO usage_file_export (org_id, day, revision, state, manifest_key, manifest_sha256, files, as_of, published_at, failure)
      VALUES ($1, $2::timestamptz, $3, $4, $5, $6, $7, '2026-10-08T01:15:00Z', CASE $4 WHEN 'published' THEN timestamptz '2026-10-08T01:15:02Z' END, 'AccessDenied')`,
    [organizationId, `${day}T00:00:00Z`, revision, state, ...manifest, JSON.stringify(state === 'writing' ? [] : [FILE])],
  );
}

const list = async (query = ''): Promise<{ exports: { day: string; revision: number; state: string }[]; next: string | null }> => {
  const { status, json } = await suite.send('GET', `${PATH}${query}`);
  expect(status).toBe(200);
  return json as never;
};
const name = ({ day, revision }: { day: string; revision: number }): string => `${day} r${revision}`;

it('lists what was exported of the organization, the newest day and its highest revision first, page by page', async () => {
  for (const [day, revision, state] of [
    ['2026-10-06', 1, 'published'],
    ['2026-10-07', 1, 'published'],
    ['2026-10-07', 2, 'published'],
    ['2026-10-08', 1, 'writing'],
  ] as const)
    await add(suite.ours.id, day, revision, state);
  await add((await suite.seedOther()).id, '2026-10-09', 1);

  const { exports, next } = await list();

  expect([exports.map(name), next]).toEqual([['2026-10-08 r1', '2026-10-07 r2', '2026-10-07 r1', '2026-10-06 r1'], null]);
  expect(exports[0]).toEqual({
    ...{ day: '2026-10-08', revision: 1, state: 'writing', supersedes: null, manifest: null, files: [] },
    ...{ as_of: '2026-10-08T01:15:00.000Z', published_at: null },
  });
  expect(exports[1]).toEqual({
    ...{ day: '2026-10-07', revision: 2, state: 'published', supersedes: 1, manifest: { key: 'p/2026-10-07-r2.json', sha256: SHA } },
    ...{ files: [FILE], as_of: '2026-10-08T01:15:00.000Z', published_at: '2026-10-08T01:15:02.000Z' },
  });
  expect((await list('?from=2026-10-07&to=2026-10-07')).exports.map(name)).toEqual(['2026-10-07 r2', '2026-10-07 r1']);
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await list(`?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
    seen.push(...page.exports.map(name));
    cursor = page.next;
  }
  expect(seen).toEqual(exports.map(name));
});
