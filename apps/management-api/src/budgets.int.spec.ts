import { applyUsage } from './__fixtures__/apply-usage';
import { useManagement } from './__fixtures__/use-management';

const suite = useManagement();
const REPORT = '/v1/manage/budget-plan/report?month=2026-08';

beforeEach(() => {
  // Half of August, in which every day is as long as the others.
  suite.harness.now = () => Date.UTC(2026, 7, 16, 12);
});

it('has planned, actual, forecast and variance of each subject, and groups’ own budgets where no plan is', async () => {
  await suite.send('PATCH', '/v1/manage/org', { budget_mode: 'group' });
  const [planned, own] = [await suite.make.group(), await suite.make.group()];
  await suite.send('POST', `/v1/manage/group/${own}/budget`, { monthly_budget: 5 });
  await suite.send('POST', `/v1/manage/group/${planned}/budget`, { monthly_budget: 5 });
  await suite.send('PUT', '/v1/manage/cost-centre', { rules: [{ cost_centre: '4711', group_id: planned }], default: 'Rest' });
  const entries = [
    { month: '2026-08', subject: { kind: 'group', group_id: planned }, amount_usd: '3.5' },
    { month: '2026-08', subject: { kind: 'cost_centre', cost_centre: '4711' }, amount_usd: '10' },
    { month: '2026-09', subject: { kind: 'organization' }, amount_usd: '99' },
  ];
  expect((await suite.send('PUT', '/v1/manage/budget-plan', { entries })).json['budget_plan']).toMatchObject({ entries, version: 1 });
  const admitted_at = Date.UTC(2026, 7, 3);
  await applyUsage(suite, [
    { admitted_at, cost_p: '2000000000001', group_id: planned },
    { admitted_at, cost_p: '1000000000000', group_id: own },
    { admitted_at, cost_p: '500000000000', is_byok: true, billed_p: '0' },
  ]);

  const { budget_report: report } = await suite.get(REPORT);
  expect(report).toMatchObject({
    ...{ month: '2026-08', basis: 'billed', status: 'open' },
    budgets: [
      {
        ...{ subject: { group_id: planned }, source: 'plan', planned_usd: '3.5', actual_usd: '2.000000000001' },
        ...{ forecast_usd: '4.000000000002', left_usd: '1.499999999999', variance_usd: '-0.500000000002' },
      },
      { subject: { cost_centre: '4711' }, source: 'plan', planned_usd: '10', variance_usd: '5.999999999998' },
      { subject: { group_id: own }, source: 'group_budget', planned_usd: '5', actual_usd: '1', forecast_usd: '2', variance_usd: '3' },
    ],
    rest: [
      { kind: 'group', actual_usd: '0' },
      { kind: 'cost_centre', actual_usd: '1', forecast_usd: '2' },
    ],
    total: { actual_usd: '3.000000000001', forecast_usd: '6.000000000002' },
  });
  expect(await suite.get(`${REPORT}&basis=spend`)).toMatchObject({ budget_report: { total: { actual_usd: '3.500000000001' } } });
});

it('forecasts nothing on the first day, and what was used once the month is over', async () => {
  await applyUsage(suite, [{ admitted_at: Date.UTC(2026, 7, 1), cost_p: '1000000000000' }]);
  suite.harness.now = () => Date.UTC(2026, 7, 1, 12);
  expect(await suite.get(REPORT)).toMatchObject({ budget_report: { budgets: [], total: { actual_usd: '1', forecast_usd: null } } });
  suite.harness.now = () => Date.UTC(2026, 8, 1);
  expect(await suite.get(REPORT)).toMatchObject({ budget_report: { total: { actual_usd: '1', forecast_usd: '1' } } });
});
