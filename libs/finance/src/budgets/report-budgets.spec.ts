import { NO_COST_CENTRES } from '../lines/assign-cost-centre';
import type { ChargeLine } from '../lines/charge-line';
import { priceLines } from '../lines/priced-line';
import { createPriceList } from '../price-list/price-list';
import { forecastMonth } from './forecast-month';
import { reportBudgets } from './report-budgets';

const [startMs, endMs] = [Date.UTC(2026, 10, 1), Date.UTC(2026, 11, 1)];
const line = (more: Partial<ChargeLine>): ChargeLine => ({
  ...{ day: '2026-11-01', apiKeyId: 'key', memberId: null, groupId: null, keyLabels: {}, groupLabels: {} },
  ...{ modelUsed: 'a', providerUsed: 'p', modality: 'chat', isByok: false, requests: 1n, attempts: 1n, costPico: 0n },
  billedPico: more.costPico ?? 0n,
  ...more,
});

describe('the forecast of a month', () => {
  it('goes on as it went, is what was used once the month is over, and no guess on its first day', () => {
    expect(forecastMonth(15n, { startMs, endMs, nowMs: Date.UTC(2026, 10, 16) })).toBe(30n);
    expect(forecastMonth(15n, { startMs, endMs, nowMs: endMs })).toBe(15n);
    expect(forecastMonth(15n, { startMs, endMs, nowMs: Date.UTC(2026, 10, 1, 23) })).toBeNull();
    expect(forecastMonth(-15n, { startMs, endMs, nowMs: Date.UTC(2026, 10, 16) })).toBe(-30n);
  });
});

describe('budgets beside what was used', () => {
  const prices = createPriceList([{ models: ['a'], steps: [{ from: '2026-01-01', factor: '1.5' }] }]);
  const lines = [
    ...priceLines([line({ groupId: 'g', costPico: 2n * 10n ** 12n }), line({ groupId: 'h', costPico: 10n ** 12n })], {
      ...{ rules: NO_COST_CENTRES, prices },
    }),
    ...priceLines([line({ groupId: 'g', costPico: 7n })], { rules: NO_COST_CENTRES, prices, adjusts: '2026-10' }),
  ];
  const planned = [
    { subject: { kind: 'group' as const, group_id: 'g' }, plannedPico: 3n * 10n ** 12n, source: 'plan' as const },
    { subject: { kind: 'organization' as const }, plannedPico: 10n ** 13n, source: 'plan' as const },
  ];
  const nowMs = Date.UTC(2026, 10, 16);

  it('has plan, actual, forecast and variance of each, and the rest that no budget is about', () => {
    expect(reportBudgets(lines, { planned, basis: 'billed', startMs, endMs, nowMs })).toEqual({
      budgets: [
        {
          ...{ subject: { kind: 'group', group_id: 'g' }, source: 'plan', planned_usd: '3', actual_usd: '2.000000000007' },
          ...{ forecast_usd: '4.000000000007', left_usd: '0.999999999993', variance_usd: '-1.000000000007' },
        },
        {
          ...{ subject: { kind: 'organization' }, source: 'plan', planned_usd: '10', actual_usd: '3.000000000007' },
          ...{ forecast_usd: '6.000000000007', left_usd: '6.999999999993', variance_usd: '3.999999999993' },
        },
      ],
      rest: [{ kind: 'group', actual_usd: '1', forecast_usd: '2' }],
      total: { actual_usd: '3.000000000007', forecast_usd: '6.000000000007' },
    });
  });

  it('compares what is charged where that is asked for, and has no forecast on the first day', () => {
    const early = { startMs, endMs, nowMs: startMs + 3_600_000 };
    expect(reportBudgets(lines, { planned: planned.slice(0, 1), basis: 'charged', ...early })).toMatchObject({
      budgets: [{ actual_usd: '3.0000000000105', forecast_usd: null, variance_usd: null }],
      rest: [{ actual_usd: '1.5' }],
    });
  });
});
