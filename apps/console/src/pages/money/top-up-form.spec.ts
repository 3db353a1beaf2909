import { findTopUpErrors, toTopUp } from './top-up-form';

const form = { enabled: 'on', threshold: '0', amount: '$1,000', cap: '1000.00' } as const;

describe('the form of automatic top-up', () => {
  it('is sent as amounts', () => {
    expect(findTopUpErrors(form)).toEqual({});
    expect(toTopUp(form)).toEqual({ enabled: true, threshold: 0, amount: 1000, monthly_cap: 1000 });
  });

  it('needs amounts, and a month of at least one of them', () => {
    expect(findTopUpErrors({ ...form, threshold: '', amount: '0', cap: 'x' })).toEqual({
      threshold: 'Write an amount.',
      amount: 'must be greater than 0',
      monthly_cap: 'Write an amount of USD, such as 50 or 12.50.',
    });
    expect(findTopUpErrors({ ...form, cap: '999.99' })).toEqual({ monthly_cap: 'is not valid: must be at least `amount`' });
  });
});
