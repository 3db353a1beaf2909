import type { UsageEntry } from '@weir/contracts';
import { createDayRates } from '../currencies/day-rates';
import { createPriceList, OUR_PRICES } from '../price-list/price-list';
import { addMoney, planMoneyQuery } from './add-money';

const rates = createDayRates(
  [
    { base: 'USD', currency: 'EUR', day: '2026-10-01', rate: '0.9' },
    { base: 'USD', currency: 'EUR', day: '2026-10-03', rate: '0.333333333333333333' },
  ],
  'EUR',
);
const entry = (spend: string, groups?: Record<string, string>) =>
  ({
    spend,
    ...(groups === undefined
      ? {}
      : { grouped_data: Object.entries(groups).map(([team, of]) => ({ spend: of, group_by_values: { team } })) }),
  }) as UsageEntry;

it('adds up a month by the rate of each of its days, and rounds once', () => {
  const detail = {
    '2026-10-01T00:00:00Z': entry('10', { a: '4', b: '6' }),
    '2026-10-02T00:00:00Z': entry('1', { a: '1' }),
    '2026-10-03T00:00:00Z': entry('0.000000000001', { b: '0.000000000001' }),
  };
  const month = { '2026-10-01T00:00:00Z': entry('11.000000000001', { b: '6.000000000001', a: '5' }) };

  const { usage, currency } = addMoney(month, detail, { resolution: 'month', groupBy: ['team'], rates, prices: OUR_PRICES });

  expect(usage['2026-10-01T00:00:00Z']).toMatchObject({
    ...{ spend: '11.000000000001', spend_in_currency: '9.9' },
    grouped_data: [
      { group_by_values: { team: 'b' }, spend: '6.000000000001', spend_in_currency: '5.4' },
      { group_by_values: { team: 'a' }, spend: '5', spend_in_currency: '4.5' },
    ],
  });
  expect(currency).toEqual({
    code: 'EUR',
    rates: [
      { day: '2026-10-01', published_on: '2026-10-01', per_usd: '0.9' },
      { day: '2026-10-02', published_on: '2026-10-01', per_usd: '0.9' },
      { day: '2026-10-03', published_on: '2026-10-03', per_usd: '0.333333333333333333' },
    ],
  });
});

it('refuses what a day without a rate would leave out', () => {
  const detail = { '2026-09-30T23:00:00Z': entry('1') };

  expect(() => addMoney(detail, detail, { resolution: 'hour', groupBy: [], rates, prices: OUR_PRICES })).toThrow(
    'no rate of EUR for 2026-09-30',
  );
});

it('asks for days where a month is shown, and for nothing else than what is shown otherwise', () => {
  const query = { organizationId: 'o', startMs: 0, endMs: 1, groupBy: [], resolution: 'month' as const };

  expect(planMoneyQuery(query, OUR_PRICES)).toMatchObject({ resolution: 'day' });
  for (const resolution of ['hour', 'day'] as const)
    expect(planMoneyQuery({ ...query, resolution }, OUR_PRICES)).toEqual({ ...query, resolution });
  expect(planMoneyQuery({ ...query, groupBy: ['model_used'] }, { isEmpty: false }).groupBy).toEqual(['model_used', 'is_byok']);
});

it('charges by the prices of the day, without rounding, and nothing under an own account', () => {
  const prices = createPriceList([{ models: ['dear'], steps: [{ from: '2026-10-02', factor: '1.333333' }] }]);
  const part = (spend: string, model: string, isByok = 'false') => ({
    spend,
    group_by_values: { model_used: model, is_byok: isByok },
  });
  const detail = {
    '2026-10-01T00:00:00Z': { ...entry('3'), grouped_data: [part('1', 'dear'), part('2', 'cheap')] },
    '2026-10-03T00:00:00Z': { ...entry('5.000000000001'), grouped_data: [part('0.000000000001', 'dear'), part('5', 'dear', 'true')] },
  } as unknown as Parameters<typeof addMoney>[1];
  const month = { '2026-10-01T00:00:00Z': entry('8.000000000001') };

  const { usage, currency } = addMoney(month, detail, { resolution: 'month', groupBy: [], prices });

  expect(usage['2026-10-01T00:00:00Z']).toEqual({ spend: '8.000000000001', charged: '3.000000000001333333' });
  expect(currency).toBeUndefined();
  const converted = addMoney(month, detail, { resolution: 'month', groupBy: [], prices, rates }).usage['2026-10-01T00:00:00Z'];
  expect(converted).toMatchObject({ charged_in_currency: '2.7' });
});
