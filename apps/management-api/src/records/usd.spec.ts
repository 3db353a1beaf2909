import { limitToPico, memberLimitToPico } from './usd';

describe('an amount in USD, as callers write it', () => {
  it.each([
    [0.1 + 0.2, '300000000000'],
    [0.7 + 0.1 + 0.1, '900000000000'],
    [1.1 * 3, '3300000000000'],
    [0.3, '300000000000'],
    [1e-12, '1'],
    [0.000000000123, '123'],
    [123_456.789, '123456789000000000'],
    [999_999_999.1, '999999999100000000000'],
    [1e9, '1000000000000000000000'],
  ])('%d is taken as %s pico-dollars', (value, pico) => {
    expect(limitToPico(value, 'monthly_limit')?.toFixed()).toBe(pico);
  });

  it.each([1e-13, 4e-13, 0.1234567890123, 5.0000000000004])('%d is refused, with what to do about it', (value) => {
    const problem = expect.objectContaining({
      code: 'invalid_request',
      message: '`monthly_limit` must be an amount in USD with at most 12 decimal places, such as 0.3; round it to that.',
      details: expect.objectContaining({ field: 'monthly_limit' }) as unknown,
    });
    expect(() => limitToPico(value, 'monthly_limit')).toThrow(problem);
  });

  it('is none where there is none, and nothing where nothing may be spent', () => {
    expect([limitToPico(null, 'f'), limitToPico(0, 'f'), memberLimitToPico(null, 'f')]).toEqual([null, null, null]);
    expect(memberLimitToPico(0, 'f')?.toFixed()).toBe('0');
  });
});
