import { applyUsage } from './__fixtures__/apply-usage';
import { useManagement } from './__fixtures__/use-management';

const suite = useManagement();
const day = (at: number): number => Date.UTC(2026, 7, at, 12);
const USAGE = '/v1/manage/org/usage?start=2026-08-01T00:00:00Z&end=2026-09-01T00:00:00Z';
const EXPORT = '/v1/manage/org/usage/export?period=2026-08';

beforeEach(async () => {
  suite.harness.now = () => Date.UTC(2026, 8, 3, 12);
  await applyUsage(suite, [
    { admitted_at: day(3), cost_p: '1000000000000', model_used: 'a/one' },
    { admitted_at: day(20), cost_p: '1000000000001', model_used: 'a/one' },
    { admitted_at: day(20), cost_p: '3000000000000', model_used: 'b/two' },
    { admitted_at: day(21), cost_p: '7000000000000', model_used: 'a/one', is_byok: true, billed_p: '0' },
  ]);
});

const LIST = {
  entries: [
    {
      models: ['a/*'],
      steps: [
        { from: '2026-08-01', percent: '10' },
        { from: '2026-08-15', factor: '1.333333' },
      ],
    },
    { models: ['nothing'], steps: [{ from: '2026-08-01', factor: '9' }] },
  ],
};
const setList = async (list: object = LIST): Promise<void> => {
  expect((await suite.send('PUT', '/v1/manage/price-list', list)).status).toBe(200);
};
/** 1 at 1.1, 1.000000000001 at 1.333333, and 3 as it is. */
const CHARGED = '5.433333000001333333';

it('shows what is charged beside what it costs, by the prices of each day, exactly', async () => {
  expect(JSON.stringify(await suite.get(USAGE))).not.toContain('charged');
  await setList();

  const month = await suite.get(`${USAGE}&resolution=month&group_by=model_used`);
  expect(month['usage']).toMatchObject({
    '2026-08-01T00:00:00Z': {
      ...{ spend: '12.000000000001', charged: CHARGED },
      grouped_data: [
        { group_by_values: { model_used: 'a/one' }, spend: '9.000000000001', charged: '2.433333000001333333' },
        { group_by_values: { model_used: 'b/two' }, spend: '3', charged: '3' },
      ],
    },
  });
  expect((await suite.get(`${USAGE}&resolution=hour`))['usage']).toMatchObject({ '2026-08-03T12:00:00Z': { spend: '1', charged: '1.1' } });
  const { cost_centre_report: report } = await suite.get('/v1/manage/cost-centre/report?month=2026-08');
  expect(report).toMatchObject({ total: { spend_usd: '12.000000000001', billed_usd: '5.000000000001', charged_usd: CHARGED } });
});

it('adds columns to files, of each line, and none where there is no list', async () => {
  const before = await suite.send('GET', `${EXPORT}&names=false`);
  await setList();

  const file = await suite.send('GET', `${EXPORT}&names=false`);
  const [head = '', ...lines] = file.text.trimEnd().split('\n');
  expect(head).toBe(`${before.text.split('\n')[0] ?? ''},price_factor,charged_usd`);
  expect(lines.map((line) => line.split(',').slice(-2).join(' ')).sort()).toEqual([
    '1 3',
    '1.1 1.1',
    '1.333333 0',
    '1.333333 1.333333000001333333',
  ]);
  const focus = await suite.send('GET', `${EXPORT}&format=focus`);
  expect(focus.text.split('\n')[0]).toMatch(/,x_PriceFactor,x_ChargedCost$/);
  const refused = await suite.send('GET', `${EXPORT}&resolution=month`);
  expect([refused.status, refused.json.error.message]).toEqual([409, expect.stringContaining('changes within this month')]);
  await setList({ entries: [] });
  expect((await suite.send('GET', `${EXPORT}&names=false`)).text).toBe(before.text);
});

it('changes nothing of what is owed: ledger, balance and reconciliation stay', async () => {
  const owed = async (): Promise<unknown> => {
    const { reconciliation } = await suite.get('/v1/manage/reconciliation?month=2026-08');
    const { places, unexplained_usd: unexplained } = reconciliation as { places: object[]; unexplained_usd: string };
    return [places, unexplained, (await suite.get('/v1/manage/balance'))['balance']];
  };
  const before = await owed();
  await setList();
  expect(await owed()).toEqual(before);
});

it('keeps every version, with what it was in the audit log', async () => {
  await setList();
  await setList({ entries: [] });

  expect(await suite.get('/v1/manage/price-list')).toMatchObject({ price_list: { entries: [], version: 2 } });
  const [line] = (await suite.get('/v1/manage/audit?limit=1'))['audit'];
  expect(line).toMatchObject({ action: 'replace-price-list', before: LIST, after: { entries: [], version: 2 } });
  const { prisma } = suite.harness.database;
  await expect(prisma.financeDocument.deleteMany({ where: { organizationId: suite.ours.id } })).rejects.toThrow();
  expect(await prisma.financeDocument.count({ where: { organizationId: suite.ours.id } })).toBe(2);
});
