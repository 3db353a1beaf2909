import { showLimit, type ShownLimit } from './show-limits';

const NOW = Date.UTC(2026, 10, 24, 10, 30);
const limit = (remaining: bigint, more: Partial<ShownLimit> = {}): ShownLimit => ({
  ...{ measure: 'requests', limit: 100n, remaining, resetAtMs: NOW + 90_500 },
  ...more,
});

function show(shown: readonly ShownLimit[], dialect?: 'messages' | 'chat-completions', before: Record<string, string> = {}) {
  const headers = { ...before };
  const reply = {
    getHeader: (name: string) => headers[name],
    setHeader: (name: string, value: string) => (headers[name] = value),
  } as unknown as Parameters<typeof showLimit>[0];
  for (const one of shown) showLimit(reply, one, { dialect, nowMs: NOW });
  return headers;
}

describe('limits in headers', () => {
  it('show the one with the least left, whichever comes first, and never less than nothing', () => {
    expect(show([limit(5n), limit(9n)])['x-ratelimit-remaining-requests']).toBe('5');
    expect(show([limit(9n), limit(5n)])['x-ratelimit-remaining-requests']).toBe('5');
    expect(show([limit(-4n)])['x-ratelimit-remaining-requests']).toBe('0');
  });

  it('leave the rate of a member where it is lower', () => {
    const rate = { 'x-ratelimit-limit-requests': '10', 'x-ratelimit-remaining-requests': '3', 'x-ratelimit-reset-requests': '42s' };
    expect(show([limit(4n)], 'chat-completions', rate)).toEqual(rate);
    expect(show([limit(2n)], 'chat-completions', rate)).toEqual({
      'x-ratelimit-limit-requests': '100',
      'x-ratelimit-remaining-requests': '2',
      'x-ratelimit-reset-requests': '1m30.5s',
    });
  });

  it('have one name for all tokens in one dialect, and three in the other', () => {
    const tokens = (['tokens', 'input_tokens', 'output_tokens'] as const).map((measure, place) => limit(BigInt(30 - place), { measure }));
    expect(Object.keys(show(tokens))).toHaveLength(3);
    expect(show(tokens)['x-ratelimit-remaining-tokens']).toBe('28');
    expect(show(tokens, 'messages')).toMatchObject({
      'anthropic-ratelimit-tokens-remaining': '30',
      'anthropic-ratelimit-input-tokens-remaining': '29',
      'anthropic-ratelimit-output-tokens-remaining': '28',
      'anthropic-ratelimit-tokens-reset': '2026-11-24T10:31:30.500Z',
    });
  });
});
