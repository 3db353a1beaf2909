import type { UsageEntry } from '@weir/contracts';
import { type UsageQuery, countUsage } from '@weir/usage';
import { createUsageCache } from './create-usage-cache';

const query: UsageQuery = { organizationId: 'o', startMs: 0, endMs: 1, resolution: 'day', groupBy: ['model_used'] };
const usage = (groups = 0) => ({
  '1970-01-01T00:00:00Z': { grouped_data: Array.from({ length: groups }, () => ({})) } as unknown as UsageEntry,
});

test('finds a result for the same query and revision only', () => {
  const cache = createUsageCache(countUsage);
  const kept = usage();
  cache.keep(query, '1:7', kept);
  expect(cache.find(query, '1:7')).toBe(kept);
  expect(cache.find(query, '1:8')).toBeUndefined();
  expect(cache.find({ ...query, organizationId: 'p' }, '1:7')).toBeUndefined();
});

test('keeps no results with names, which may change, and no large results', () => {
  const cache = createUsageCache(countUsage);
  const named = { ...query, groupBy: ['group_name'] };
  cache.keep(named, '1', usage());
  cache.keep(query, '1', usage(20_000));
  expect([cache.find(named, '1'), cache.find(query, '1')]).toEqual([undefined, undefined]);
});

test('removes the result that was not read for longest', () => {
  const cache = createUsageCache(countUsage);
  const of = (endMs: number) => ({ ...query, endMs });
  for (let at = 1; at <= 5; at += 1) cache.keep(of(at), '1', usage(9_900));
  expect(cache.find(of(1), '1')).toBeDefined();
  cache.keep(of(6), '1', usage(9_900));
  expect([1, 2, 6].map((at) => cache.find(of(at), '1') !== undefined)).toEqual([true, false, true]);
});
