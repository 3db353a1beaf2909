import type { Key } from '../administration/lists';
import { EMPTY_KEY_FORM, findKeyErrors, NEW_GROUP, planKeyChanges, toCreateKey, toKeyForm } from './key-form';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const key: Key = {
  id: 'k1',
  name: 'crawler',
  monthly_limit: 50,
  monthly_spend: 1,
  permissions: { manage: 'none', completions: 'write', contents: 'none' },
  labels: { team: 'search' },
  created_by: null,
  group: { id: 'g1' },
  access_list_id: null,
  status: 'active',
  priority: 'normal',
  share: 1,
  prefix: 'weir_live_abc',
  last4: 'wxyz',
  expires_at: '2026-12-31T10:30:00.000Z',
  created_at: '2026-11-01T00:00:00Z',
  last_used_at: null,
};

describe('the form of a new key', () => {
  it('sends the name and permissions alone when nothing else was said', () => {
    expect(toCreateKey({ ...EMPTY_KEY_FORM, name: ' app ' }, null, NOW)).toEqual({
      name: 'app',
      permissions: { manage: 'none', completions: 'write' },
    });
  });

  it('sends everything that was said', () => {
    const form = {
      ...EMPTY_KEY_FORM,
      name: 'app',
      member: 'u1',
      limit: '$50',
      accessList: 'a1',
      expiry: { choice: '30', date: '' },
      labels: [{ name: 'team', value: 'x' }],
      contents: 'read' as const,
    };

    expect(toCreateKey(form, 'g1', NOW)).toMatchObject({
      member_id: 'u1',
      group_id: 'g1',
      monthly_limit: 50,
      access_list_id: 'a1',
      expires_at: '2026-12-23T12:00:00.000Z',
      labels: { team: 'x' },
      permissions: { manage: 'none', completions: 'write', contents: 'read' },
    });
  });

  it('says what is wrong before it is sent', () => {
    const form = { ...EMPTY_KEY_FORM, group: NEW_GROUP, limit: 'much', labels: [{ name: '', value: 'x' }] };

    expect(findKeyErrors(form, NOW)).toMatchObject({
      name: 'must not be empty',
      'new.name': 'must not be empty',
      monthly_limit: 'Write an amount of USD, such as 50 or 12.50.',
      labels: 'Every label needs a name.',
    });
    expect(findKeyErrors({ ...EMPTY_KEY_FORM, name: 'x' }, NOW)).toEqual({});
    expect(findKeyErrors({ ...EMPTY_KEY_FORM, name: 'x', share: 'half' }, NOW)).toEqual({ share: 'Write a whole number from 1 to 100.' });
  });
});

describe('the form of a changed key', () => {
  it('changes nothing as it is', () => {
    expect(planKeyChanges(key, toKeyForm(key), NOW)).toEqual([]);
    expect(planKeyChanges(key, { ...toKeyForm(key), priority: 'low', share: '7' }, NOW)).toEqual([
      { what: 'priority', priority: 'low', share: 7 },
    ]);
  });

  it('changes what differs', () => {
    const form = { ...toKeyForm(key), limit: '', group: '', labels: [], expiry: { choice: 'never', date: '' }, accessList: 'a1' };

    expect(planKeyChanges(key, form, NOW)).toEqual([
      { what: 'access-list', access_list_id: 'a1' },
      { what: 'limit', monthly_limit: null },
      { what: 'group', group_id: null },
      { what: 'expiry', expires_at: null },
      { what: 'labels', labels: {} },
    ]);
  });
});
