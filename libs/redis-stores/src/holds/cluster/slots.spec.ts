import { randomUUID } from 'node:crypto';
import { LIMIT_MEASURES, LIMIT_WINDOWS } from '@weir/contracts';
import { BALANCE_SCOPE, monthlyScope, nameLimitScope } from '@weir/limits';
import { slotOf } from '../../client/create-script';
import { keysOf, pairsOf } from '../scopes/scope-facts';
import { COMMON, COMMON_ORGANIZATIONS, COMMON_WRITERS, markOf } from './cluster-scripts';

const HOUR_MS = 3_600_000;
const startMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;

/** Every kind of scope that one request can bind: settings, and limits of every measure in every window, together or apart. */
function allScopes(): string[] {
  const windows = [...LIMIT_WINDOWS.map(({ name }) => name), null];
  const limits = LIMIT_MEASURES.flatMap(({ name: measure }) =>
    windows.flatMap((window) =>
      ['-', randomUUID(), 'digest_of-an-end_user'].map((partition) =>
        nameLimitScope({
          limitId: randomUUID(),
          measure,
          partition,
          window,
          startMs: window === 'total' || window === null ? null : startMs,
        }),
      ),
    ),
  );
  const settings = [monthlyScope('key', randomUUID(), startMs), monthlyScope('group_member', `${randomUUID()}/${randomUUID()}`, startMs)];
  return [...settings, monthlyScope('group', randomUUID(), startMs), BALANCE_SCOPE, ...limits];
}

describe('slots of a cluster', () => {
  test('all keys of all scopes of an organization share one, with the mark of its generation', () => {
    for (let count = 0; count < 50; count += 1) {
      const organizationId = randomUUID();
      const scopes = allScopes();
      const keys = [...keysOf(organizationId, scopes), ...pairsOf(organizationId, scopes), markOf(organizationId)];
      expect(keys.length).toBeGreaterThan(3 * scopes.length);
      expect(new Set(keys.map(slotOf))).toEqual(new Set([slotOf(organizationId)]));
    }
  });

  test('organizations spread: each of twenty nodes has its part of 20,000, give or take a fifth', () => {
    const nodes = 20;
    const counts = new Array<number>(nodes).fill(0);
    for (let count = 0; count < 20_000; count += 1) {
      const node = Math.floor((slotOf(markOf(randomUUID())) * nodes) / 16_384);
      counts[node] = (counts[node] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(200);
  });

  test('what all organizations have in common shares one', () => {
    expect(new Set([COMMON, COMMON_WRITERS, COMMON_ORGANIZATIONS].map(slotOf)).size).toBe(1);
  });
});
