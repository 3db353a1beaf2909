import type { KeyRecord } from '@weir/access';
import type { RequestPriorityName } from '@weir/contracts';
import { claimTurn } from './claim-turn';

const keyOf = ({ priority, share, ofOrganization }: { priority?: RequestPriorityName; share?: number; ofOrganization?: number } = {}) =>
  ({
    ...(priority === undefined ? {} : { priority }),
    ...(share === undefined ? {} : { share }),
    organization: ofOrganization === undefined ? {} : { share: ofOrganization },
  }) as Pick<KeyRecord, 'priority' | 'share' | 'organization'>;

describe('the turn that a request claims', () => {
  it('is nothing unusual for a usual key', () => {
    expect(claimTurn({}, keyOf())).toBeUndefined();
    expect(claimTurn({}, keyOf({ priority: 'normal', share: 1, ofOrganization: 1 }))).toBeUndefined();
    expect(claimTurn({ 'x-weir-priority': 'normal' }, keyOf({ priority: 'high' }))).toBeUndefined();
  });

  it('has the priority of its key, or a lower one that it asks for', () => {
    expect(claimTurn({}, keyOf({ priority: 'high' }))).toEqual({ priority: 'high' });
    expect(claimTurn({}, keyOf({ priority: 'low' }))).toEqual({ priority: 'low' });
    expect(claimTurn({ 'x-weir-priority': 'low' }, keyOf({ priority: 'high' }))).toEqual({ priority: 'low' });
    expect(claimTurn({ 'x-weir-priority': 'high' }, keyOf({ priority: 'high' }))).toEqual({ priority: 'high' });
  });

  it.each([
    ['high', 'normal'],
    ['normal', 'low'],
    ['high', undefined],
  ] as const)('is refused where %s is above the %s of its key', (asked, priority) => {
    const key = keyOf(priority === undefined ? {} : { priority });
    expect(() => claimTurn({ 'x-weir-priority': asked }, key)).toThrow(expect.objectContaining({ code: 'permission_denied' }));
  });

  it.each(['urgent', '', 'HIGH', 'high, low'])('is refused for the word "%s"', (asked) => {
    expect(() => claimTurn({ 'x-weir-priority': asked }, keyOf({ priority: 'high' }))).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: expect.objectContaining({ field: 'x-weir-priority' }) }),
    );
  });

  it('has the shares of organization and key, one object for all requests of a key', () => {
    const key = keyOf({ share: 3, ofOrganization: 7 });
    const claim = claimTurn({}, key);
    expect(claim).toEqual({ shares: { organization: 7, key: 3 } });
    expect(claimTurn({ 'x-weir-priority': 'low' }, key)?.shares).toBe(claim?.shares);
    expect(claimTurn({}, keyOf({ share: 2 }))).toEqual({ shares: { organization: 1, key: 2 } });
  });
});
