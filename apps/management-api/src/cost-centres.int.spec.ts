import { parseUsd } from '@weir/pricing';
import { applyUsage } from './__fixtures__/apply-usage';
import { useManagement } from './__fixtures__/use-management';

const suite = useManagement();
const day = (at: number): number => Date.UTC(2026, 7, at, 12);

beforeEach(() => {
  suite.harness.now = () => Date.UTC(2026, 8, 3, 12);
});

async function labelSetOf(labels: Record<string, string>): Promise<string | null> {
  const { id } = await suite.createKey({ labels });
  return (await suite.harness.database.prisma.apiKey.findUniqueOrThrow({ where: { id } })).labelSetId;
}

type Centre = {
  cost_centre: string;
  spend_usd: string;
  billed_usd: string;
  in_currency?: { spend: string };
  assigned_by: { by: string }[];
};
type Report = { cost_centres: Centre[]; total: { spend_usd: string; billed_usd: string; in_currency?: object }; rules_version: number };

async function report(query = ''): Promise<Report> {
  const { status, json, text } = await suite.send('GET', `/v1/manage/cost-centre/report?month=2026-08${query}`);
  expect([status, text]).toEqual([200, expect.any(String)]);
  return json['cost_centre_report'] as Report;
}

/** Usage that every kind of rule is about, with costs that no two have in common. */
async function useAll(): Promise<{ group: string; member: string }> {
  const { group, member } = await suite.make.groupMember();
  const [labelled, other] = [await labelSetOf({ cc: '100' }), await labelSetOf({ team: 'x' })];
  await applyUsage(suite, [
    { admitted_at: day(3), cost_p: '1', key_label_set_id: labelled, group_id: group },
    { admitted_at: day(4), cost_p: '20', key_label_set_id: other, group_label_set_id: labelled },
    { admitted_at: day(4), cost_p: '300', group_id: group },
    { admitted_at: day(5), cost_p: '4000', user_id: member, is_byok: true, billed_p: '0' },
    { admitted_at: day(31), cost_p: '50000000000000007' },
  ]);
  return { group, member };
}

describe('cost centres', () => {
  it('have each cent of a month exactly once, and add up to what usage and reconciliation say', async () => {
    const { group, member } = await useAll();
    const rules = {
      label: 'cc',
      rules: [
        { cost_centre: '200', group_id: group },
        { cost_centre: '300', member_id: member },
      ],
      default: 'Rest',
    };
    expect((await suite.send('PUT', '/v1/manage/cost-centre', rules)).json['cost_centres']).toMatchObject({ ...rules, version: 1 });

    const { cost_centres: centres, total, rules_version: version } = await report();

    expect(centres).toMatchObject([
      { cost_centre: 'Rest', spend_usd: '50000.000000000007', billed_usd: '50000.000000000007', assigned_by: [{ by: 'default' }] },
      { cost_centre: '300', spend_usd: '0.000000004', billed_usd: '0', assigned_by: [{ by: 'rule' }] },
      { cost_centre: '200', spend_usd: '0.0000000003', assigned_by: [{ by: 'rule' }] },
      { cost_centre: '100', spend_usd: '0.000000000021', assigned_by: [{ by: 'api_key_label' }, { by: 'group_label' }] },
    ]);
    const sum = (of: readonly { spend_usd: string }[]): bigint => of.reduce((all, { spend_usd: usd }) => all + parseUsd(usd), 0n);
    expect(sum(centres)).toBe(parseUsd(total.spend_usd));
    const { reconciliation } = await suite.get('/v1/manage/reconciliation?month=2026-08');
    const { places } = reconciliation as { places: { place: string; spend_usd: string; billed_usd: string }[] };
    expect(places.find(({ place }) => place === 'month')).toMatchObject({ spend_usd: total.spend_usd, billed_usd: total.billed_usd });
    expect(version).toBe(1);
  });

  it('are one for everything before rules are given, and follow new rules', async () => {
    await useAll();
    expect(await report()).toMatchObject({ rules_version: 0, cost_centres: [{ cost_centre: 'Unassigned' }] });

    await suite.send('PUT', '/v1/manage/cost-centre', { default: 'One' });
    await suite.send('PUT', '/v1/manage/cost-centre', { default: 'Two' });

    expect(await report()).toMatchObject({ rules_version: 2, cost_centres: [{ cost_centre: 'Two' }] });
    const [line] = (await suite.get('/v1/manage/audit?limit=1'))['audit'];
    expect(line).toMatchObject({ action: 'replace-cost-centres', before: { default: 'One' }, after: { default: 'Two', version: 2 } });
  });

  it('are shown in another currency beside USD, each day by its rate', async () => {
    await useAll();
    await suite.make.operator();
    const rates = ['2026-08-03', '2026-08-31'].map((of, at) => ({ day: of, currency: 'CHF', rate: at === 0 ? '0.5' : '0.25' }));
    await suite.send('POST', '/v1/manage/exchange-rate', { rates });

    // 0.000000004321 by 0.5, and 50000.000000000007 by 0.25.
    expect((await report('&currency=CHF')).total).toMatchObject({ in_currency: { spend: '12500.000000002162' } });
    expect(await report('&currency=CHF')).toMatchObject({ currency: { code: 'CHF', rates: [{ day: '2026-08-03' }, {}, {}, {}] } });
  });

  it('refuse a month whose days are no longer kept, and show none of another organization', async () => {
    await useAll();
    const other = await suite.seedOther();
    const reply = await suite.harness.call('GET', '/v1/manage/cost-centre/report?month=2026-08', { key: other.apiKey });
    expect(reply.json['cost_centre_report']).toMatchObject({ cost_centres: [], total: { spend_usd: '0' } });

    await suite.harness.database.pool.query('DELETE FROM usage_day WHERE org_id = $1', [suite.ours.id]);
    const refused = await suite.send('GET', '/v1/manage/cost-centre/report?month=2026-08');
    expect([refused.status, refused.json.error.message]).toEqual([409, expect.stringContaining('do not add up to the month')]);
  });
});
