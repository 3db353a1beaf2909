import { applyUsage } from './__fixtures__/apply-usage';
import { useManagement } from './__fixtures__/use-management';

const suite = useManagement();
const RATES = '/v1/manage/exchange-rate';
const USAGE = '/v1/manage/org/usage?start=2026-08-01T00:00:00Z&end=2026-09-01T00:00:00Z';

beforeEach(async () => {
  suite.harness.now = () => Date.UTC(2026, 8, 3, 12);
  await suite.harness.database.pool.query('DELETE FROM exchange_rate');
});

async function load(rates: object[], more: object = {}): Promise<void> {
  await suite.make.operator();
  const reply = await suite.send('POST', RATES, { rates, ...more });
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
}

const eur = (day: string, rate: string): object => ({ day, currency: 'EUR', rate });

describe('exchange rates', () => {
  it('are loaded by the operator alone, once each, and changed on purpose, with an audit line that has what they were', async () => {
    const refused = await suite.send('POST', RATES, { rates: [eur('2026-08-03', '0.92')] });
    expect([refused.status, refused.json.error.message]).toEqual([403, expect.stringContaining('operator’s own organization')]);

    await load([eur('2026-08-03', '0.92'), eur('2026-08-04', '0.930')], { source: 'a bank' });
    const again = await suite.send('POST', RATES, { rates: [eur('2026-08-03', '0.9200'), eur('2026-08-05', '0.94')] });
    expect(again.json['imported']).toEqual({ loaded: 1, replaced: 0, unchanged: 1 });
    const changed = await suite.send('POST', RATES, { rates: [eur('2026-08-06', '0.95'), eur('2026-08-04', '0.931')] });
    expect([changed.status, changed.json.error.message]).toEqual([
      409,
      expect.stringContaining('EUR for one USD on 2026-08-04 was loaded as 0.93'),
    ]);
    await load([eur('2026-08-04', '0.931')], { replace: true });

    const { exchange_rates: shown } = await suite.get(`${RATES}?currency=EUR&start=2026-08-02&end=2026-08-07`);
    expect(shown).toEqual({
      currency: 'EUR',
      rates: [
        { day: '2026-08-03', published_on: '2026-08-03', per_usd: '0.92' },
        { day: '2026-08-04', published_on: '2026-08-04', per_usd: '0.931' },
        { day: '2026-08-05', published_on: '2026-08-05', per_usd: '0.94' },
        { day: '2026-08-06', published_on: '2026-08-05', per_usd: '0.94' },
      ],
      missing: ['2026-08-02'],
    });
    const [line] = (await suite.get('/v1/manage/audit?limit=1'))['audit'];
    expect(line).toMatchObject({
      action: 'import-exchange-rates',
      before: { rates: [{ base: 'USD', currency: 'EUR', day: '2026-08-04', rate: '0.93' }] },
      after: { loaded: 1, currencies: ['EUR'] },
    });
  });

  it('come as CSV too, of a list by another base', async () => {
    await suite.make.operator();
    const body = 'day,base,currency,rate\r\n2026-08-03,EUR,USD,1.0850\r\n2026-08-03,EUR,GBP,0.8430\r\n';
    const call = (text: string) =>
      suite.harness.call('POST', RATES, { key: suite.ours.apiKey, headers: { 'content-type': 'text/csv' }, body: text });

    expect((await call(body)).json['imported']).toEqual({ loaded: 2, replaced: 0, unchanged: 0 });
    expect((await call('day,currency,price\n2026-08-03,EUR,1\n')).json.error.message).toContain('a column "price"');
    expect((await call('day,currency,rate\n2026-08-03,EUR,1e3\n')).json.error.message).toContain('`rates.0.rate`');
    const { exchange_rates: shown } = await suite.get(`${RATES}?currency=GBP&start=2026-08-03&end=2026-08-04`);
    expect(shown).toMatchObject({ rates: [{ per_usd: '0.77695852534562212' }] });
  });

  it('cannot be written by the role of a tenant that is not the operator', async () => {
    const insert = () =>
      suite.harness.database
        .asOrganization(suite.ours.id)
        .transact((tx) => tx.$executeRaw`INSERT INTO exchange_rate (base, currency, day, rate) VALUES ('USD', 'EUR', '2026-08-01', 1)`);

    await expect(insert()).rejects.toThrow(/only the organization of the operator/);
    await suite.make.operator();
    expect(await insert()).toBe(1);
  });
});

describe('amounts in another currency', () => {
  const day = (at: number, hour = 12): number => Date.UTC(2026, 7, at, hour);
  const events = [
    { admitted_at: day(3), cost_p: '1000000000001', model_used: 'a' },
    { admitted_at: day(3, 23), cost_p: '3000000000000', model_used: 'b' },
    { admitted_at: day(4), cost_p: '7', model_used: 'a' },
  ];

  it('stand beside those in USD, a month by the rate of each of its days', async () => {
    await applyUsage(suite, events);
    await load([eur('2026-08-03', '0.5'), eur('2026-08-04', '0.333')]);

    const month = await suite.get(`${USAGE}&resolution=month&group_by=model_used&currency=EUR`);
    expect(month['usage']).toMatchObject({
      '2026-08-01T00:00:00Z': {
        ...{ spend: '4.000000000008', spend_in_currency: '2.000000000003' },
        grouped_data: [
          { group_by_values: { model_used: 'b' }, spend: '3', spend_in_currency: '1.5' },
          // 0.5000000000005 and 0.000000000002331, rounded once.
          { group_by_values: { model_used: 'a' }, spend: '1.000000000008', spend_in_currency: '0.500000000003' },
        ],
      },
    });
    expect(month['currency']).toMatchObject({ code: 'EUR', rates: [{ day: '2026-08-03' }, { day: '2026-08-04' }] });
    const days = await suite.get(`${USAGE}&currency=EUR`);
    expect(days['usage']).toMatchObject({ '2026-08-04T00:00:00Z': { spend: '0.000000000007', spend_in_currency: '0.000000000002' } });
    expect(await suite.get(USAGE)).not.toHaveProperty('currency');
  });

  it('are a conflict that names the day where one has no rate', async () => {
    await applyUsage(suite, events);
    await load([eur('2026-08-04', '0.333')]);

    for (const path of [`${USAGE}&currency=EUR`, '/v1/manage/org/usage/export?period=2026-08&currency=EUR']) {
      const refused = await suite.send('GET', path);
      expect([refused.status, refused.json.error.message]).toEqual([409, expect.stringContaining('no rate of EUR for 2026-08-03')]);
    }
    expect((await suite.send('GET', `${USAGE}&currency=EUX`)).status).toBe(400);
    expect((await suite.send('GET', '/v1/manage/org/usage/export?period=2026-08&resolution=month&currency=EUR')).status).toBe(400);
  });

  it('are columns of files, with the rate of each line', async () => {
    await applyUsage(suite, events);
    await load([eur('2026-08-02', '0.5'), eur('2026-08-04', '0.333')]);

    const file = await suite.send('GET', '/v1/manage/org/usage/export?period=2026-08&names=false&currency=EUR');
    expect(file.headers.get('content-disposition')).toContain('usage-csv-2026-08-eur-r1.csv');
    const [head = '', ...lines] = file.text.trimEnd().split('\n');
    expect(head.split(',').slice(-5)).toEqual([
      'currency',
      'spend_in_currency',
      'billed_in_currency',
      'exchange_rate',
      'exchange_rate_day',
    ]);
    expect(lines.map((line) => line.split(',').slice(-5).join(' ')).sort()).toEqual([
      'EUR 0.000000000002 0.000000000002 0.333 2026-08-04',
      'EUR 0.5 0.5 0.5 2026-08-02',
      'EUR 1.5 1.5 0.5 2026-08-02',
    ]);
    const focus = await suite.send('GET', '/v1/manage/org/usage/export?period=2026-08&format=focus&currency=EUR');
    expect(focus.text.split('\n')[0]).toMatch(/x_Currency,x_ListCostInCurrency,x_BilledCostInCurrency,x_ExchangeRate,x_ExchangeRateDay$/);
    expect(focus.text).toContain(',USD,');
  });
});
