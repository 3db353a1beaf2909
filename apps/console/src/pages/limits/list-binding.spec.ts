import type { Limit } from './limits-queries';
import { listBinding, type Bound } from './list-binding';

const AT = '2026-11-24T00:00:00.000Z';
const make = (id: string, part: Partial<Limit>): Limit => ({
  ...{
    id,
    name: id,
    version: 1,
    created_at: AT,
    updated_at: AT,
    scope: 'key',
    measure: 'usd',
    window: 'day',
    amount: '5',
    action: 'refuse',
  },
  ...part,
});
const LIMITS = [
  make('all', { scope: 'organization' }),
  make('each-key', { scope: 'key' }),
  make('this-key', { scope: 'key', api_key_id: 'k-1' }),
  make('other-key', { scope: 'key', api_key_id: 'k-2' }),
  make('each-group', { scope: 'group' }),
  make('each-member', { scope: 'member' }),
  make('each-user', { scope: 'end_user' }),
  make('each-team', { scope: 'api_key_label', label: 'team' }),
  make('other-team', { scope: 'api_key_label', label: 'team', value: 'sales' }),
  make('group-team', { scope: 'group_label', label: 'team', value: 'research' }),
];

describe('the limits that bind one', () => {
  const find = (bound: Bound): string[] => listBinding(LIMITS, bound).map(({ limit }) => limit.id);

  it('are those that name it, or hold for each of its kind, and those of its group, member and labels', () => {
    const group = { groupId: 'g-1', groupLabels: { team: 'research' } };

    expect(find({ keyId: 'k-1', keyLabels: { team: 'research' } })).toEqual(['all', 'each-key', 'this-key', 'each-team']);
    expect(find(group)).toEqual(['all', 'each-group', 'group-team']);
    expect(find({ memberId: 'm-1' })).toEqual(['all', 'each-member']);
    expect(find({ keyId: 'k-3', ...group, keyLabels: {} })).toEqual(['all', 'each-key', 'each-group', 'group-team']);
  });

  it('show what this one has used, not what the fullest has', () => {
    const fill = (id: string) => ({
      of: { scope: 'key' as const, id, name: null },
      used: '1',
      share: 0.2,
      window_start: null,
      window_end: null,
    });
    const find = (ids: readonly string[]) => listBinding([make('each', { usage: ids.map(fill) })], { keyId: 'k-1' })[0];

    expect(find(['k-2', 'k-1'])).toMatchObject({ limit: { usage: [fill('k-1')] }, isUnknown: false });
    expect(find(['k-2'])).toMatchObject({ limit: { usage: [] }, isUnknown: false });
    expect(find(['k-2', 'k-3', 'k-4', 'k-5', 'k-6'])).toMatchObject({ limit: { usage: [] }, isUnknown: true });
  });

  it('show what its value of a label has used, which is kept under a digest', () => {
    const fill = (name: string) => ({
      ...{ of: { scope: 'api_key_label' as const, id: 'a-digest', name }, used: '1', share: 0.2 },
      ...{ window_start: null, window_end: null },
    });
    const limit = make('team', { scope: 'api_key_label', label: 'team', usage: [fill('sales'), fill('research')] });

    expect(listBinding([limit], { keyId: 'k-1', keyLabels: { team: 'research' } })[0]?.limit.usage).toEqual([fill('research')]);
  });
});
