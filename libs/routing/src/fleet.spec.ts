import type { Attempt } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { makeAttempt } from './__fixtures__/make-attempt';
import { seededRandom } from './__fixtures__/seeded-random';
import { createVirtualClock } from './__fixtures__/virtual-clock';
import { createRetryBudget } from './health/create-retry-budget';
import { createRouteHealth } from './health/create-route-health';
import { orderMembers } from './resolve/order-members';
import type { AttemptPlace } from './attempt-runner';
import { createAttemptRunner } from './run-attempts';

/** How a provider behaves at a moment: its chance to fail, and how long it takes to reply or to fail. */
type Behaviour = (atMs: number) => { readonly failure: number; readonly takesMs: number };
type Policy = 'fallback' | 'weighted' | 'latency';

type Fleet = {
  readonly policy: Policy;
  readonly providers: Readonly<Record<string, Behaviour>>;
  readonly retries?: number;
  readonly seconds?: number;
  readonly perSecond?: number;
};

type Reported = { readonly atMs: number; readonly isOk: boolean; readonly tookMs: number; readonly calls: readonly string[] };

/** A gateway in front of simulated providers, for some seconds of a clock that does not really run. */
async function simulate({ policy, providers, retries = 0, seconds = 30, perSecond = 50 }: Fleet): Promise<readonly Reported[]> {
  const clock = createVirtualClock();
  const random = seededRandom(42);
  const health = createRouteHealth({ now: clock.now });
  const budget = createRetryBudget({ now: clock.now });
  const runner = createAttemptRunner({ health, budget, now: clock.now, elapsed: clock.now, random, wait: clock.wait });
  const members = Object.keys(providers).map((id) => ({ id: `${id}/m`, weight: 1 }));
  const reported: Reported[] = [];

  const plan = (): Attempt[] => {
    const { members: ordered } = orderMembers(policy, members, {
      sticky: null,
      random,
      priceOf: () => 0n,
      latencyOf: ({ id }) => health.latencyOf(makeAttempt(id), true),
    });
    return ordered.flatMap(({ id }) => Array.from({ length: retries + 1 }, () => makeAttempt(id)));
  };

  const request = async (index: number): Promise<void> => {
    await clock.wait((index * 1000) / perSecond);
    const atMs = clock.now();
    const calls: string[] = [];
    const open = async (place: AttemptPlace): Promise<void> => {
      const { providerId } = place.attempt;
      const { failure, takesMs } = (providers[providerId] as Behaviour)(clock.now());
      const isFailing = random() < failure;
      place.noteSent();
      calls.push(providerId);
      await clock.wait(takesMs);
      if (isFailing) throw new GatewayError('provider_unreachable', '');
      place.noteFirstByte();
    };
    const outcome = runner.run({ attempts: plan(), stream: true, deadlineMs: Infinity }, open);
    const isOk = await outcome.then(
      () => true,
      () => false,
    );
    reported.push({ atMs, isOk, tookMs: clock.now() - atMs, calls });
  };

  const all = Promise.all(Array.from({ length: seconds * perSecond }, (_, index) => request(index)));
  await clock.run();
  await all;
  return reported;
}

const steady =
  (failure: number, takesMs = 50): Behaviour =>
  () => ({ failure, takesMs });
const share = (reported: readonly Reported[], is: (one: Reported) => boolean): number => reported.filter(is).length / reported.length;
const successes = (reported: readonly Reported[]): number => share(reported, ({ isOk }) => isOk);
const amplification = (reported: readonly Reported[]): number =>
  reported.reduce((sum, { calls }) => sum + calls.length, 0) / reported.length;
const between = (reported: readonly Reported[], fromMs: number, toMs: number) =>
  reported.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
const p99 = (reported: readonly Reported[]): number =>
  reported.map(({ tookMs }) => tookMs).sort((a, b) => a - b)[Math.floor(reported.length * 0.99)] ?? 0;

describe('a simulated fleet', () => {
  describe.each(['fallback', 'weighted', 'latency'] as const)('under a %s policy', (policy) => {
    it('has no failure and no further attempt while all is well', async () => {
      const reported = await simulate({ policy, providers: { a: steady(0), b: steady(0, 80) } });
      expect([successes(reported), amplification(reported)]).toEqual([1, 1]);
    });

    it('R3: after one of two providers dies has fewer errors than 1 % after 5 s, and uses it within 35 s of its recovery', async () => {
      const dying: Behaviour = (atMs) => ({ failure: atMs >= 10_000 && atMs < 20_000 ? 1 : 0, takesMs: 50 });
      const reported = await simulate({ policy, providers: { a: dying, b: steady(0, 50) }, seconds: 60 });
      expect(1 - successes(between(reported, 15_000, 60_000))).toBeLessThan(0.01);
      expect(successes(reported)).toBeGreaterThan(0.99);
      expect(amplification(reported)).toBeLessThan(1.05);
      expect(p99(between(reported, 15_000, 60_000))).toBeLessThanOrEqual(110);
      const back = between(reported, 20_000, 55_000).filter(({ calls, isOk }) => isOk && calls[0] === 'a');
      expect(back.length).toBeGreaterThan(0);
    });

    it('R2: when all fail sends at most a quarter more than there are requests, retries included', async () => {
      const reported = await simulate({ policy, providers: { a: steady(1), b: steady(1) }, retries: 2, seconds: 20, perSecond: 100 });
      expect(successes(reported)).toBe(0);
      expect(amplification(between(reported, 10_000, 20_000))).toBeLessThanOrEqual(1.25);
      expect(amplification(reported)).toBeLessThanOrEqual(1.25);
    });

    it('R2: when one of two fails half of the time still serves 85 % with at most a fifth more attempts', async () => {
      const reported = await simulate({ policy, providers: { a: steady(0.5), b: steady(0) } });
      expect(successes(reported)).toBeGreaterThan(0.85);
      expect(amplification(reported)).toBeLessThanOrEqual(1.2);
    });
  });

  it('finds out which provider is fast, keeps looking, and changes over when that changes', async () => {
    const changing: Behaviour = (atMs) => ({ failure: 0, takesMs: atMs < 30_000 ? 40 : 400 });
    const reported = await simulate({ policy: 'latency', providers: { a: changing, b: steady(0, 100) }, seconds: 60 });
    const toA = ({ calls }: Reported) => calls[0] === 'a';
    expect(share(between(reported, 5_000, 30_000), toA)).toBeGreaterThan(0.85);
    expect(share(between(reported, 50_000, 60_000), toA)).toBeLessThan(0.15);
  });

  it('adds the pauses of its retries to failed requests, and nothing to others', async () => {
    const reported = await simulate({ policy: 'fallback', providers: { a: steady(0.02) }, retries: 2 });
    expect(successes(reported)).toBeGreaterThan(0.999);
    const retried = reported.filter(({ calls }) => calls.length > 1);
    expect(retried.every(({ tookMs }) => tookMs >= 200 && tookMs < 1_000)).toBe(true);
    expect(reported.filter(({ calls }) => calls.length === 1).every(({ tookMs }) => tookMs === 50)).toBe(true);
  });
});
