import { FAIL_POINTS } from '@weir/contracts';
import { planReply, describePrompt } from '../provider/plan-reply';
import { planRequest } from '../load/client-request';
import { describeFault } from './fault';
import { FAIL_POINT_ROWS } from './fail-point-rows';
import { planFaults } from './plan-faults';

const SEEDS = Array.from({ length: 300 }, (_, index) => index + 1);

describe('what follows from a seed', () => {
  it('is the same every time, and something else for another seed', () => {
    for (const seed of SEEDS) {
      expect(planFaults(seed)).toEqual(planFaults(seed));
      expect(planRequest(seed)).toEqual(planRequest(seed));
      expect(planReply(describePrompt(seed))).toEqual(planReply(describePrompt(seed)));
    }
    expect(new Set(SEEDS.map((seed) => JSON.stringify(planFaults(seed)))).size).toBe(SEEDS.length);
  });

  it('makes every kind of fault, at times in order, and can say each in words', () => {
    const plans = SEEDS.map(planFaults);
    for (const plan of plans) expect(plan.map(({ atMs }) => atMs)).toEqual(plan.map(({ atMs }) => atMs).sort((a, b) => a - b));
    const faults = plans.flat().map(({ fault }) => fault);
    expect(new Set(faults.map(({ kind }) => kind))).toEqual(
      new Set(['kill-service', 'freeze-service', 'kill-part', 'spoil-line', 'fail-point']),
    );
    expect(new Set(faults.flatMap((fault) => (fault.kind === 'fail-point' ? [fault.point] : [])))).toEqual(new Set(FAIL_POINTS));
    expect(faults.map(describeFault).filter((words) => words === '')).toEqual([]);
  });

  it('knows the service of every fail point', () => {
    expect(FAIL_POINT_ROWS.map(({ point }) => point)).toEqual([...FAIL_POINTS]);
  });

  it('makes what the prompt asks for', () => {
    expect(planReply(describePrompt(7, { outputTokens: 12, gapMs: 3, firstByteMs: 4, ending: 'cut' }))).toMatchObject({
      ...{ seed: 7, outputTokens: 12, gapMs: 3, firstByteMs: 4, ending: 'cut' },
    });
    expect(planReply('{"model":"x"}')).toBeUndefined();
  });
});
