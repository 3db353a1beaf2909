import { isSpent, readAllowance } from './read-allowance';

const NOW = Date.parse('2026-03-04T05:06:07Z');

describe('what a provider says of its rate', () => {
  it('is read from the headers of OpenAI, as it was captured', () => {
    const headers = {
      'x-ratelimit-limit-requests': '500',
      'x-ratelimit-limit-tokens': '200000',
      'x-ratelimit-remaining-requests': '499',
      'x-ratelimit-remaining-tokens': '199996',
      'x-ratelimit-reset-requests': '120ms',
      'x-ratelimit-reset-tokens': '1ms',
    };
    expect(readAllowance(headers, NOW)).toEqual({
      requests: { limit: 500, remaining: 499, resetAtMs: NOW + 120, refill: 'steady' },
      tokens: { limit: 200_000, remaining: 199_996, resetAtMs: NOW + 1, refill: 'steady' },
    });
  });

  it('is read from those of Groq, whose requests are of a day', () => {
    const headers = {
      'x-ratelimit-limit-requests': '14400',
      'x-ratelimit-limit-tokens': '30000',
      'x-ratelimit-remaining-requests': '14398',
      'x-ratelimit-remaining-tokens': '29987',
      'x-ratelimit-reset-requests': '10.332999999s',
      'x-ratelimit-reset-tokens': '26ms',
    };
    const { requests, tokens } = readAllowance(headers, 0);
    expect([requests?.remaining, requests?.resetAtMs, tokens?.resetAtMs]).toEqual([14_398, expect.closeTo(10_333, 2), 26]);
  });

  it('is read from those of Azure, which may leave out limits, and write -1 for none', () => {
    expect(readAllowance({ 'x-ratelimit-remaining-requests': '119', 'x-ratelimit-remaining-tokens': '119991' }, NOW)).toEqual({
      requests: { limit: null, remaining: 119, resetAtMs: null, refill: 'steady' },
      tokens: { limit: null, remaining: 119_991, resetAtMs: null, refill: 'steady' },
    });
    const odd = { 'x-ratelimit-limit-tokens': '-1', 'x-ratelimit-remaining-tokens': '-1', 'x-ratelimit-reset-tokens': '0' };
    expect(readAllowance(odd, NOW)).toEqual({});
    expect(readAllowance({ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '55' }, NOW)).toEqual({
      requests: { limit: null, remaining: 0, resetAtMs: NOW + 55_000, refill: 'steady' },
    });
  });

  it('is read from those of Anthropic, by its own clock where the reply has a date', () => {
    const headers = {
      'anthropic-ratelimit-input-tokens-limit': '400000',
      'anthropic-ratelimit-input-tokens-remaining': '399000',
      'anthropic-ratelimit-input-tokens-reset': '2025-07-29T09:59:43Z',
      'anthropic-ratelimit-output-tokens-limit': '80000',
      'anthropic-ratelimit-output-tokens-remaining': '0',
      'anthropic-ratelimit-output-tokens-reset': '2025-07-29T10:00:33Z',
      'anthropic-ratelimit-requests-limit': '4000',
      'anthropic-ratelimit-requests-remaining': '3999',
      'anthropic-ratelimit-requests-reset': '2025-07-29T09:59:33Z',
      'anthropic-ratelimit-tokens-limit': '480000',
      'anthropic-ratelimit-tokens-remaining': '480000',
      'anthropic-ratelimit-tokens-reset': '2025-07-29T09:59:33Z',
      'retry-after': '7',
      date: 'Tue, 29 Jul 2025 09:59:33 GMT',
    };
    expect(readAllowance(headers, NOW)).toEqual({
      requests: { limit: 4000, remaining: 3999, resetAtMs: NOW, refill: 'steady' },
      tokens: { limit: 480_000, remaining: 480_000, resetAtMs: NOW, refill: 'steady' },
      inputTokens: { limit: 400_000, remaining: 399_000, resetAtMs: NOW + 10_000, refill: 'steady' },
      outputTokens: { limit: 80_000, remaining: 0, resetAtMs: NOW + 60_000, refill: 'steady' },
      retryAtMs: NOW + 7_000,
    });
  });

  it('is read from single limits of others', () => {
    expect(readAllowance({ 'x-ratelimit-limit-req-10-second': '60', 'x-ratelimit-remaining-req-10-second': '49' }, NOW)).toEqual({
      requests: { limit: 60, remaining: 49, resetAtMs: null, refill: 'window' },
    });
    expect(readAllowance({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' }, NOW)).toEqual({
      requests: { limit: 2, remaining: 0, resetAtMs: NOW + 1_000, refill: 'window' },
    });
    expect(readAllowance({ 'ratelimit-remaining': '599', 'ratelimit-reset': String(NOW / 1000 + 3) }, NOW)).toEqual({
      requests: { limit: null, remaining: 599, resetAtMs: NOW + 3_000, refill: 'window' },
    });
  });

  it.each([
    [{ 'retry-after-ms': '1234', 'retry-after': '2' }, NOW + 1_234],
    [{ 'retry-after': '30' }, NOW + 30_000],
    [{ 'retry-after': '0.5' }, NOW + 500],
    [{ 'retry-after': 'Wed, 04 Mar 2026 05:06:17 GMT' }, NOW + 10_000],
    [{ 'retry-after': '999999999' }, NOW + 86_400_000],
    [{ 'retry-after': '-3' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '' }, undefined],
  ])('says when to try again: %j', (headers, at) => {
    expect(readAllowance(headers, NOW).retryAtMs).toBe(at);
  });

  it.each(['6m0s', '1h2m3s', '1d', '20ms', '1m0.5s', '7'])('takes the time %s', (reset) => {
    const milliseconds = { '6m0s': 360_000, '1h2m3s': 3_723_000, '1d': 86_400_000, '20ms': 20, '1m0.5s': 60_500, '7': 7_000 }[reset];
    const headers = { 'x-ratelimit-remaining-tokens': '1', 'x-ratelimit-reset-tokens': reset };
    expect(readAllowance(headers, NOW).tokens?.resetAtMs).toBe(NOW + (milliseconds ?? NaN));
  });

  it('is never more than what can be read: whatever stands in a header, nothing throws', () => {
    const odd = [
      '',
      ' ',
      'NaN',
      '-',
      '1e999',
      '-5',
      'm',
      '5x',
      '5m5',
      'ms5',
      '[]',
      '9'.repeat(400),
      '1d'.repeat(99),
      '2025-13-45T99:99:99Z',
      '\u0000',
    ];
    const names = ['limit', 'remaining', 'reset'].flatMap((part) => [
      `x-ratelimit-${part}-requests`,
      `x-ratelimit-${part}-tokens`,
      `anthropic-ratelimit-tokens-${part}`,
      `ratelimit-${part}`,
    ]);
    for (const value of [...odd, ['1', '2'], []] as (string | string[])[]) {
      const headers = Object.fromEntries([...names, 'date', 'retry-after', 'retry-after-ms'].map((name) => [name, value]));
      const { retryAtMs, ...measures } = readAllowance(headers, NOW);
      expect(retryAtMs === undefined || retryAtMs >= NOW).toBe(true);
      for (const { limit, remaining, resetAtMs } of Object.values(measures)) {
        expect(remaining >= 0 && (limit === null || limit > 0) && (resetAtMs === null || resetAtMs >= NOW)).toBe(true);
      }
    }
    expect(readAllowance({}, NOW)).toEqual({});
  });

  it('shows at a glance when nothing is left of one of the limits', () => {
    expect(isSpent({ 'x-ratelimit-remaining-requests': '0' })).toBe(true);
    expect(isSpent({ 'anthropic-ratelimit-output-tokens-remaining': '0' })).toBe(true);
    expect(isSpent({ 'x-ratelimit-remaining-requests': '10', 'content-type': 'application/json' })).toBe(false);
  });
});
