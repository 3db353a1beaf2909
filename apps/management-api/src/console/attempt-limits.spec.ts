import type { Request } from 'express';
import { createAttemptLimits, type AttemptLimits } from './attempt-limits';
import { createBrowserOrigin } from './browser-origin';

function isLet(limits: AttemptLimits, address: string | null): boolean {
  try {
    limits.take(address);
    return true;
  } catch {
    return false;
  }
}

describe('attempts to sign in', () => {
  it('are counted by address and minute, by networks of version 6, and in all', () => {
    let nowMs = 0;
    const limits = createAttemptLimits(() => nowMs, { perAddress: 2, inTotal: 5 });
    expect([isLet(limits, '192.0.2.1'), isLet(limits, '::ffff:192.0.2.1'), isLet(limits, '192.0.2.1')]).toEqual([true, true, false]);
    expect([isLet(limits, '2001:db8::1'), isLet(limits, '2001:0db8:0:0:f::2'), isLet(limits, '2001:db8:0:0::3')]).toEqual([
      true,
      true,
      false,
    ]);
    expect([isLet(limits, null), isLet(limits, null), isLet(limits, '198.51.100.1')]).toEqual([true, false, false]);
    nowMs = 45_500;
    expect(() => limits.take(null)).toThrow(expect.objectContaining({ code: 'rate_limited', details: { retryAfterSeconds: 15 } }));
    nowMs = 60_000;
    expect(isLet(limits, '192.0.2.1')).toBe(true);
  });

  it('are of the address that the last proxy of ours was called by', () => {
    const origin = createBrowserOrigin(['10.0.0.0/8']);
    const read = (address: string, forwarded?: string): string | null =>
      origin.readAddress({ socket: { remoteAddress: address }, get: () => forwarded } as unknown as Request);
    expect(read('192.0.2.1', '198.51.100.1')).toBe('192.0.2.1');
    expect(read('10.0.0.1', '203.0.113.9, 198.51.100.1, 10.0.0.7')).toBe('198.51.100.1');
    expect([read('10.0.0.1'), read('10.0.0.1', 'unknown, 10.0.0.3')]).toEqual([null, null]);
  });
});
