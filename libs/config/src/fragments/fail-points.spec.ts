import { NO_FAIL_POINT } from '@weir/contracts';
import { createFailPoint, failPointEnv } from './fail-points';

const parse = (values: Record<string, string>) => failPointEnv.parse(values);

describe('fail points', () => {
  it('cost nothing unless they are set: a constant that does nothing', () => {
    expect(createFailPoint(parse({}))).toBe(NO_FAIL_POINT);
    expect(createFailPoint(parse({ FAILPOINTS_ALLOWED: 'true' }))).toBe(NO_FAIL_POINT);
  });

  it('stop the start when they are set where they are not allowed', () => {
    expect(() => createFailPoint(parse({ FAILPOINT: 'journal.write:eio@1' }))).toThrow(/not true/);
  });

  it.each(['journal.write:eio@0', 'journal.nowhere:kill@1', 'journal.write:explode@1', 'journalxwrite:eio@1'])('refuse %s', (text) => {
    expect(failPointEnv.safeParse({ FAILPOINT: text }).success).toBe(false);
  });

  it.each(['eio', 'enospc'])('fail like a disk with %s, at the hit that was asked for and at no other', (action) => {
    const failPoint = createFailPoint(parse({ FAILPOINTS_ALLOWED: 'true', FAILPOINT: `journal.write:${action}@2` }));
    failPoint('journal.write');
    failPoint('journal.sync');
    expect(() => failPoint('journal.write')).toThrow(expect.objectContaining({ code: action.toUpperCase() }) as Error);
    expect(() => failPoint('journal.write')).not.toThrow();
  });
});
