import { judgeRows } from './judge-rows';
import { LOADS } from './loads';
import { formatRatios } from './print-ratios';
import { ROWS, type Row } from './rows';
import type { Sample, TargetName, Values } from './samples';

const row = (name: string): Row => ROWS.find((each) => each.name === name)!;
const sample = (load: string, target: TargetName, round: number, values: Values): Sample => ({
  load,
  target,
  round,
  values,
  errors: 0,
  fault: undefined,
});
const serving = (load: string, target: TargetName, ...rounds: number[]): Sample[] =>
  rounds.map((value, round) => sample(load, target, round, { serving: value }));

describe('judgeRows', () => {
  it('compares within a round and takes the median of that, without the round that warms up', () => {
    // Rounds:      warm, calm, busy, calm
    const samples = [...serving('whole', 'relay', 900, 100, 200, 100), ...serving('whole', 'now', 900, 230, 480, 250)];

    const [judged] = judgeRows([row('whole')], samples);

    expect(judged).toMatchObject({ relay: { median: 100 }, now: { median: 250, least: 230, most: 480 }, before: null });
    expect(judged).toMatchObject({ comparedNow: { median: 2.4, least: 2.3, most: 2.5 }, comparedBefore: null, isMet: true });
  });

  it('is not met just above its target', () => {
    const samples = [...serving('whole', 'relay', 0, 100), ...serving('whole', 'before', 0, 570), ...serving('whole', 'now', 0, 241)];

    expect(judgeRows([row('whole')], samples)).toMatchObject([{ comparedBefore: { median: 5.7 }, isMet: false }]);
  });

  it('takes a frame as what 200 more of them cost, over the same at the relay', () => {
    const samples = [
      ...serving(LOADS.few.name, 'relay', 0, 100),
      ...serving(LOADS.many.name, 'relay', 0, 300),
      ...serving(LOADS.few.name, 'now', 0, 500),
      ...serving(LOADS.many.name, 'now', 0, 860),
    ];

    const [judged] = judgeRows([row('frame')], samples);

    expect(judged).toMatchObject({ relay: { median: 1 }, now: { median: 1.8 }, isMet: true });
    expect(judged?.comparedNow?.median).toBeCloseTo(0.8);
  });

  it('takes all cores over one process of what it is compared with, or of itself', () => {
    const rates = (load: string, target: TargetName, perSecond: number): Sample => sample(load, target, 1, { perSecond });
    const beside = [rates('one process', 'before', 1_000), rates('all cores', 'now', 3_100)];

    expect(judgeRows([row('cores')], beside)).toMatchObject([{ before: { median: 1_000 }, comparedNow: { median: 3.1 }, isMet: true }]);
    const alone = [rates('one process', 'now', 2_000), rates('all cores', 'now', 3_100)];
    expect(judgeRows([row('cores')], alone)).toMatchObject([{ comparedNow: { median: 1.55 }, isMet: false }]);
  });

  it('compares what is counted with nothing but its target', () => {
    const samples = [sample('counts', 'before', 1, { promises: 51 }), sample('counts', 'now', 1, { promises: 6 })];

    expect(judgeRows([row('promises')], samples)).toMatchObject([
      { comparedBefore: { median: 51 }, comparedNow: { median: 6 }, relay: null, isMet: true },
    ]);
  });

  it('judges nothing that was not measured', () => {
    expect(judgeRows([row('whole')], serving('whole', 'now', 0, 241))).toMatchObject([{ comparedNow: null, isMet: null }]);
  });
});

describe('formatRatios', () => {
  it('shows the median, what it was between, and whether that is enough', () => {
    const samples = [...serving('whole', 'relay', 0, 100, 100), ...serving('whole', 'now', 0, 230, 234)];

    const lines = formatRatios(judgeRows([row('whole'), row('big')], samples)).split('\n');

    expect(lines[1]).toContain('232 [230 to 234]');
    expect(lines[1]).toMatch(/2\.32 \[2\.30 to 2\.34\] × +≤ 2\.4 × +yes$/);
    expect(lines[2]).toMatch(/– +≤ 1\.5 × +–$/);
  });
});
