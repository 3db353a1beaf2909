import { applyUsage } from './__fixtures__/apply-usage';
import { useManagement } from './__fixtures__/use-management';

const suite = useManagement();

type Entry = { total_requests: number; spend: string; grouped_data?: object[] };
const ask = async (query: string): Promise<Record<string, Entry>> =>
  (await suite.get(`/v1/manage/org/usage?${query}`))['usage'] as unknown as Record<string, Entry>;

beforeEach(async () => {
  suite.harness.now = () => Date.UTC(2026, 7, 22, 12);
  await applyUsage(suite, [
    { admitted_at: Date.UTC(2026, 7, 3, 12), cost_p: '1000000000000', model_used: 'a' },
    { admitted_at: Date.UTC(2026, 7, 20, 12), cost_p: '2000000000000', model_used: 'b' },
  ]);
});

it('has zeros for periods in which nothing was used where that is asked for', async () => {
  const range = 'start=2026-08-02T00:00:00Z&end=2026-08-05T00:00:00Z';
  expect(Object.keys(await ask(range))).toEqual(['2026-08-03T00:00:00Z']);
  const filled = await ask(`${range}&fill=zero&group_by=model_used`);
  expect(
    Object.entries(filled).map(([day, { total_requests, spend, grouped_data }]) => [day, total_requests, spend, grouped_data?.length]),
  ).toEqual([
    ['2026-08-02T00:00:00Z', 0, '0', 0],
    ['2026-08-03T00:00:00Z', 1, '1', 1],
    ['2026-08-04T00:00:00Z', 0, '0', 0],
  ]);
  expect((await suite.send('GET', `/v1/manage/org/usage?${range}&fill=none`)).status).toBe(400);
});

it('has a year by the month in one reply, beside the 100 days of other ranges', async () => {
  const year = await ask('start=2026-01-01T00:00:00Z&months=12&fill=zero');
  expect(Object.keys(year)).toHaveLength(12);
  expect([year['2026-08-01T00:00:00Z']?.spend, year['2026-07-01T00:00:00Z']?.spend, year['2026-12-01T00:00:00Z']?.spend]).toEqual([
    '3',
    '0',
    '0',
  ]);
  const key = (await suite.get(`/v1/manage/apikey/${suite.ours.apiKeyId}/usage?start=2025-09-01T00:00:00Z&months=12`))['usage'];
  expect(Object.keys(key as unknown as object)).toEqual(['2026-08-01T00:00:00Z']);

  const refused = [
    'start=2026-01-01T00:00:00Z&end=2026-12-31T00:00:00Z&resolution=month',
    'start=2026-01-01T00:00:00Z&end=2026-12-31T00:00:00Z&months=12',
    'start=2026-01-02T00:00:00Z&months=12',
    'start=2026-01-01T00:00:00Z&months=12&resolution=day',
    'start=2026-01-01T00:00:00Z&months=25',
  ];
  const replies = await Promise.all(refused.map((query) => suite.send('GET', `/v1/manage/org/usage?${query}`)));
  expect(replies.map(({ status, json }) => [status, (json.error as { field?: string }).field ?? json.error.message])).toEqual([
    [400, expect.stringContaining('100 days')],
    [400, expect.stringContaining('`end`')],
    [400, expect.stringContaining('`start`')],
    [400, expect.stringContaining('`resolution`')],
    [400, expect.stringContaining('months')],
  ]);
});

it('owes nothing before it was ever given money, whatever it used', async () => {
  expect(await suite.get('/v1/manage/balance')).toMatchObject({ balance: { total: '0', cash: '0' } });
  expect(await suite.get('/x/apikey')).toMatchObject({ org_balance: '0' });
});
