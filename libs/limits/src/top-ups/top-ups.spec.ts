import { createRecordedPayments } from './payment-provider';
import { planTopUp, topUpPauseMs, type TopUpSettings } from './plan-top-up';

const settings: TopUpSettings = { isEnabled: true, thresholdPico: 10n, amountPico: 50n, monthlyCapPico: 100n };

describe('planning a top-up', () => {
  test.each([
    [{}, 9n, 0n, 'charge'],
    [{}, -5n, 50n, 'charge'],
    [{}, 10n, 0n, 'not_needed'],
    [{}, 0n, 51n, 'capped'],
    [{ isEnabled: false }, 0n, 0n, 'not_needed'],
  ] as const)('%j with a balance of %s and %s charged: %s', (more, balancePico, chargedPico, plan) => {
    expect(planTopUp({ ...settings, ...more }, { balancePico, chargedPico })).toBe(plan);
  });

  test('failures back off to a day', () => {
    expect([1, 2, 3, 10].map(topUpPauseMs)).toEqual([60_000, 240_000, 960_000, 86_400_000]);
  });

  test('a recorded payment is the same payment each time', async () => {
    const charge = { id: 'c', organizationId: 'o', amountPico: 5n };
    const payments = createRecordedPayments();
    expect(await payments.charge(charge)).toEqual({ kind: 'paid', reference: 'recorded:c' });
    expect(await payments.charge(charge)).toEqual(await payments.charge(charge));
  });
});
