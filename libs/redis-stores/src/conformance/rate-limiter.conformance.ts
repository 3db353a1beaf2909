import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { RateLimiter } from '@weir/limits';

/** What every rate limiter promises. `open` returns a new view of the same counters, as another process has it. */
export function describeRateLimiter(name: string, open: () => RateLimiter): void {
  describe(`${name} as a rate limiter`, () => {
    it('allows a minute’s worth at once, returns what remains, then when there is one more', async () => {
      const [member, limiter] = [randomUUID(), open()];
      const verdicts = [];
      for (let count = 0; count < 4; count += 1) verdicts.push(await limiter.take(member, 3));

      expect(verdicts.map(({ isAllowed, remaining }) => [isAllowed, remaining])).toEqual([
        [true, 2],
        [true, 1],
        [true, 0],
        [false, 0],
      ]);
      const refused = verdicts[3];
      expect(refused?.limit).toBe(3);
      expect(refused?.retryAfterMs).toBeGreaterThan(15_000);
      expect(refused?.retryAfterMs).toBeLessThanOrEqual(20_000);
      expect(refused?.resetMs).toBeGreaterThan(55_000);
      expect(refused?.resetMs).toBeLessThanOrEqual(60_000);
    });

    it('admits a request that comes after `retryAfterMs`', async () => {
      const [member, limiter] = [randomUUID(), open()];
      for (let round = 0; round < 3; round += 1) {
        let verdict = await limiter.take(member, 600);
        while (verdict.isAllowed) verdict = await limiter.take(member, 600);
        await wait(verdict.retryAfterMs + 1); // a timer may fire a fraction of a millisecond early
        expect((await limiter.take(member, 600)).isAllowed).toBe(true);
      }
    });

    it('counts for all processes together, exactly, however many ask at once, and each member apart', async () => {
      const members = [randomUUID(), randomUUID()];
      const limiters = Array.from({ length: 4 }, open);
      const asked = Array.from({ length: 160 }, (_, at) => ({ member: members[at % 2] ?? '', limiter: limiters[at % 4] }));
      const verdicts = await Promise.all(asked.map(async ({ member, limiter }) => ({ member, verdict: await limiter?.take(member, 20) })));

      for (const member of members) {
        const allowed = verdicts.filter((answer) => answer.member === member && answer.verdict?.isAllowed);
        expect(allowed).toHaveLength(20);
        expect(new Set(allowed.map(({ verdict }) => verdict?.remaining)).size).toBe(20);
      }
    });

    it('follows a rate that is changed', async () => {
      const [member, limiter] = [randomUUID(), open()];
      for (let count = 0; count < 10; count += 1) await limiter.take(member, 10);
      expect((await limiter.take(member, 10)).isAllowed).toBe(false);
      await wait(11);
      expect(await limiter.take(member, 6000)).toMatchObject({ isAllowed: true, limit: 6000 });
    });
  });
}
