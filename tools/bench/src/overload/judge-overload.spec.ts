import { judgeOverload } from './judge-overload';
import type { KindResult } from './open-load-job';
import type { OverloadResult } from './run-overload';

const latency = { p50: 1, p99: 2 };
function kind(name: string, refused: number, more: Partial<KindResult> = {}): KindResult {
  const counts = { sent: 1000, skipped: 0, done: 1000 - refused, donePerSecond: 100, refused, failed: 0, firstFailure: undefined };
  return { name, ...counts, doneMs: latency, refusedMs: latency, ...more };
}

const [FREE, LISTS, UNPAID, PAID] = [kind('free', 995), kind('lists', 990), kind('unpaid', 900), kind('paid', 100)];
const WELL: OverloadResult = {
  peakPerSecond: 100,
  goodPerSecond: 95,
  lateMsP99: 4,
  kinds: [FREE, LISTS, UNPAID, PAID],
  health: { asked: 60, failed: 0, mostMs: 80, mostRssMb: 300, mostPressure: 2.5 },
  recoveryMs: 2_000,
};

describe('judging an overload', () => {
  it('finds nothing wrong where the least important go first and the rest goes on', () => {
    const { lines, faults } = judgeOverload(WELL);
    expect(faults).toEqual([]);
    expect(lines.join('\n')).toMatch(/paid: 1000 sent.*100 refused, 10 %/);
    expect(lines.join('\n')).toContain('95 % of the best');
  });

  it.each<[string, Partial<OverloadResult>]>([
    ['less was served', { goodPerSecond: 80 }],
    ['paid was refused more often than unpaid', { kinds: [FREE, LISTS, kind('unpaid', 100), kind('paid', 900)] }],
    ['unpaid was refused more often than lists', { kinds: [FREE, kind('lists', 10), UNPAID, PAID] }],
    ['neither served nor refused: cut', { kinds: [FREE, LISTS, UNPAID, { ...PAID, failed: 1, firstFailure: 'cut' }] }],
    ['the generator itself was late', { lateMsP99: 200 }],
    ['health', { health: { ...WELL.health, failed: 1 } }],
    ['took too long', { recoveryMs: 6_000 }],
  ])('finds that %s', (fault, more) => {
    expect(judgeOverload({ ...WELL, ...more }).faults).toContainEqual(expect.stringContaining(fault));
  });
});
