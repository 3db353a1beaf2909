import { createDayRates, formatRate, type StoredRate } from './day-rates';

const usd = (currency: string, day: string, rate: string): StoredRate => ({ base: 'USD', currency, day, rate });
const eur = (currency: string, day: string, rate: string): StoredRate => ({ base: 'EUR', currency, day, rate });

describe('rates by day', () => {
  it('takes the rate of the day, and the last one before it for up to seven days', () => {
    const rates = createDayRates([usd('EUR', '2026-10-02', '0.92'), usd('EUR', '2026-10-05', '0.93')], 'EUR');

    expect(rates.find('2026-10-05')).toEqual({ day: '2026-10-05', publishedOn: '2026-10-05', perUsd: 930_000_000_000_000_000n });
    expect(rates.find('2026-10-04')).toMatchObject({ publishedOn: '2026-10-02' });
    expect(rates.find('2026-10-12')).toMatchObject({ publishedOn: '2026-10-05' });
    expect(rates.look('2026-10-13')).toBeUndefined();
    expect(() => rates.find('2026-10-13')).toThrow('There is no rate of EUR for 2026-10-13, nor for the 7 days before it.');
    expect(rates.look('2026-10-01')).toBeUndefined();
  });

  it('makes one rate of two by another base, at 18 places half-even', () => {
    const rows = [eur('USD', '2026-10-01', '1.0850'), eur('GBP', '2026-10-01', '0.8430')];

    expect(formatRate(createDayRates(rows, 'GBP').find('2026-10-01'))).toBe('0.77695852534562212');
    expect(formatRate(createDayRates(rows, 'EUR').find('2026-10-01'))).toBe('0.921658986175115207');
  });

  it('prefers USD as the base, whatever the order of the rows', () => {
    const rows = [eur('USD', '2026-10-01', '1.1'), usd('EUR', '2026-10-01', '0.9')];

    for (const some of [rows, [...rows].reverse()]) expect(formatRate(createDayRates(some, 'EUR').find('2026-10-01'))).toBe('0.9');
  });

  it('knows USD without any rows', () => {
    expect(formatRate(createDayRates([], 'USD').find('2026-10-01'))).toBe('1');
  });
});
