import type { UsageEntry } from '@weir/contracts';
import type { UsageQuery } from '@weir/usage';
import { createUsageCache } from './create-usage-cache';

const query: UsageQuery = { organizationId: 'o', startMs: 0, endMs: 1, resolution: 'day', groupBy: ['model_used'] };
const usage = (groups = 0) => ({
  '1970-01-01T00:00:00Z': { grouped_data: Array.from({ length: groups }, () => ({})) } as unknown as UsageEntry,
});

test('an answer is found for the same question and revision only', () => {
  const answers = createUsageCache();
  const kept = usage();
  answers.keep(query, '1:7', kept);
  expect(answers.find(query, '1:7')).toBe(kept);
  expect(answers.find(query, '1:8')).toBeUndefined();
  expect(answers.find({ ...query, organizationId: 'p' }, '1:7')).toBeUndefined();
});

test('names are of today, so answers with names are not kept, nor are large ones', () => {
  const answers = createUsageCache();
  const named = { ...query, groupBy: ['group_name'] };
  answers.keep(named, '1', usage());
  answers.keep(query, '1', usage(20_000));
  expect([answers.find(named, '1'), answers.find(query, '1')]).toEqual([undefined, undefined]);
});

test('the answer that was not asked for for longest makes room', () => {
  const answers = createUsageCache();
  const of = (endMs: number) => ({ ...query, endMs });
  for (let at = 1; at <= 5; at += 1) answers.keep(of(at), '1', usage(9_900));
  expect(answers.find(of(1), '1')).toBeDefined();
  answers.keep(of(6), '1', usage(9_900));
  expect([1, 2, 6].map((at) => answers.find(of(at), '1') !== undefined)).toEqual([true, false, true]);
});
