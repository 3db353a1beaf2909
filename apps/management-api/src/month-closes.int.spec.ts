import { randomUUID } from 'node:crypto';
import { applyUsage } from './__fixtures__/apply-usage';
import { useManagement } from './__fixtures__/use-management';

const suite = useManagement();
const PATH = '/v1/manage/org/month-close';
const MONTH_MS = 3_600_000 * 24 * 31;
/** Noon of a day of August or, beyond 31, of September. */
const day = (at: number): number => Date.UTC(2026, 7, at, 12);

let nowMs: number;

beforeEach(async () => {
  nowMs = Date.UTC(2026, 8, 3, 12);
  suite.harness.now = () => nowMs;
  await suite.harness.database.pool.query('DELETE FROM usage_dead_letter');
  await applyUsage(suite, [
    { admitted_at: day(3), cost_p: '1000000000000', model_used: 'a' },
    { admitted_at: day(20), cost_p: '2', model_used: 'b' },
  ]);
});

type Item = { item: string; ok: boolean; message: string };
type State = { status: string; total: { billed_usd: string }; adjustments: object[]; checklist?: Item[] };

const look = async (month = '2026-08'): Promise<State> => (await suite.get(`${PATH}?month=${month}`))['month_close'] as State;
const close = async (month = '2026-08', more: object = {}): Promise<[number, string[]]> => {
  const { status, json } = await suite.send('POST', PATH, { month, ...more });
  const { problems = [] } = (status === 200 ? {} : json.error) as { problems?: { path: string }[] };
  return [status, problems.map(({ path }) => path)];
};
const report = async (month: string): Promise<Record<string, unknown>> =>
  (await suite.get(`/v1/manage/cost-centre/report?month=${month}`))['cost_centre_report'] as Record<string, unknown>;

describe('the checklist of a month', () => {
  it('is clean where everything is explained, and the month is closed once', async () => {
    const state = await look();
    expect(state).toMatchObject({ status: 'open', total: { billed_usd: '1.000000000002' }, adjustments: [] });
    expect(state.checklist?.map(({ item, ok, message }) => [item, ok, message])).toEqual(
      [
        ...['month_over', 'months_before_closed', 'requests_settled', 'journals_whole', 'dead_letters'],
        ...['sums_explained', 'rerates_finished', 'rates_loaded', 'nothing_counted_meanwhile'],
      ].map((item) => [item, true, '']),
    );

    expect(await close()).toEqual([200, []]);
    expect(await close()).toEqual([409, []]);
    expect(await look()).toMatchObject({ status: 'closed', total: { billed_usd: '1.000000000002' } });
    const [line] = (await suite.get('/v1/manage/audit?limit=1'))['audit'];
    expect(line).toMatchObject({ action: 'close-month', after: { month: '2026-08', lines: 2 } });
  });

  it('names everything that is open at once', async () => {
    const { pool } = suite.harness.database;
    await pool.query("INSERT INTO usage_dead_letter (reason, payload) VALUES ('unreadable', 'x')");
    const writer = "INSERT INTO usage_writer (writer_id, first_gap_at) VALUES ($1, now() - interval '1 hour')";
    const writerId = randomUUID();
    await pool.query(writer, [writerId]);
    await pool.query('UPDATE usage_hour SET cost_pico = cost_pico + 1 WHERE org_id = $1', [suite.ours.id]);
    const rerateId = randomUUID();
    await pool.query(
      `INSERT INTO rerate (id, model_used, from_at, to_at, price_version, to_price_version, because, actor, allows_debt, state)
        VALUES ($1, 'a', now(), now(), '1', '2', 'x', 'x', false, 'running')`,
      [rerateId],
    );
    await pool.query("INSERT INTO rerate_organization (org_id, rerate_id, state) VALUES ($1, $2, 'running')", [suite.ours.id, rerateId]);

    expect(await close('2026-08', { currencies: ['EUR'] })).toEqual([
      409,
      ['journals_whole', 'dead_letters', 'sums_explained', 'rerates_finished', 'rates_loaded'],
    ]);
    expect((await look()).status).toBe('open');
    await pool.query('DELETE FROM usage_writer WHERE writer_id = $1', [writerId]);
  });

  it('is open while the month runs, and while its last requests may', async () => {
    nowMs = Date.UTC(2026, 8, 1, 0, 30);
    expect(await close()).toEqual([409, ['requests_settled']]);
    expect(await close('2026-09')).toEqual([409, ['month_over', 'requests_settled']]);
  });
});

describe('a closed month', () => {
  it('stays as it was closed, and what comes late is in the next one, which is closed with it', async () => {
    await suite.send('PUT', '/v1/manage/cost-centre', { default: 'Before' });
    await suite.send('PUT', '/v1/manage/price-list', { entries: [{ models: ['a'], steps: [{ from: '2026-08-01', factor: '2' }] }] });
    await close();
    const before = await report('2026-08');
    expect(before).toMatchObject({ status: 'closed', total: { billed_usd: '1.000000000002', charged_usd: '2.000000000002' } });

    await suite.send('PUT', '/v1/manage/cost-centre', { default: 'After' });
    await suite.send('PUT', '/v1/manage/price-list', { entries: [] });
    await applyUsage(suite, [
      { admitted_at: day(31), cost_p: '500', model_used: 'late' },
      { admitted_at: day(33), cost_p: '40', model_used: 'a' },
    ]);

    expect(await report('2026-08')).toEqual(before);
    expect(await report('2026-09')).toMatchObject({
      ...{ status: 'open', total: { billed_usd: '0.00000000054' } },
      adjustments: [{ month: '2026-08', requests: '1', billed_usd: '0.0000000005' }],
      cost_centres: [{ cost_centre: 'After' }],
    });
    nowMs += MONTH_MS;
    expect(await close('2026-09')).toEqual([200, []]);
    const september = await report('2026-09');
    expect(september).toMatchObject({ total: { billed_usd: '0.00000000054' }, adjustments: [{ month: '2026-08' }] });
    // What is fixed once is no adjustment of the month after.
    expect(await report('2026-10')).toMatchObject({ total: { billed_usd: '0' }, adjustments: [] });
    expect(await look('2026-08')).toMatchObject({ total: { billed_usd: '1.000000000002' } });
  });

  it('is one of a row: none is left out, and only the last one is reopened, by an explicit call with a reason', async () => {
    await close();
    nowMs += 2 * MONTH_MS;
    expect(await close('2026-10')).toEqual([409, ['months_before_closed']]);
    expect(await close('2026-09')).toEqual([200, []]);

    const reopen = async (month: string): Promise<unknown> => {
      const { status, json } = await suite.send('POST', `${PATH}/reopen`, { month, because: 'a rule was wrong' });
      return [status, status === 200 ? json['month_reopened'] : json.error.message];
    };
    expect(await reopen('2026-08')).toEqual([409, expect.stringContaining('2026-09')]);
    expect(await reopen('2026-09')).toEqual([200, expect.objectContaining({ month: '2026-09', because: 'a rule was wrong' })]);
    const [line] = (await suite.get('/v1/manage/audit?limit=1'))['audit'];
    expect(line).toMatchObject({ action: 'reopen-month', after: { month: '2026-09', because: 'a rule was wrong' } });
    expect(await look('2026-09')).toMatchObject({ status: 'open' });
    expect(await close('2026-09')).toEqual([200, []]);

    const { pool } = suite.harness.database;
    for (const statement of [
      "UPDATE month_close SET figures = '{}' WHERE organization_id = $1",
      'DELETE FROM month_close WHERE organization_id = $1',
      "UPDATE month_close_line SET line = '{}' WHERE organization_id = $1",
      'DELETE FROM month_close_line WHERE organization_id = $1',
    ])
      await expect(pool.query(statement, [suite.ours.id])).rejects.toThrow();
  });

  it('is what invoices bill, where months are closed at all', async () => {
    const parties = { seller: { name: 'Seller' }, buyer: { name: 'Buyer' } };
    const bill = async (month: string): Promise<unknown> => {
      const body = { month, recipient: { kind: 'organization' }, ...parties };
      const { status, json } = await suite.send('POST', '/v1/manage/invoice', body);
      return [status, status === 201 ? (json['invoice'] as { billed_usd: string }).billed_usd : json.error.message];
    };
    await close();
    await applyUsage(suite, [{ admitted_at: day(31), cost_p: '500' }]);
    nowMs += MONTH_MS;

    expect(await bill('2026-08')).toEqual([201, '1.000000000002']);
    expect(await bill('2026-09')).toEqual([409, expect.stringContaining('2026-09 is not closed')]);
    await close('2026-09');
    expect(await bill('2026-09')).toEqual([201, '0.0000000005']);
  });
});
