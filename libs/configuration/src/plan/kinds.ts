import type { ConfigurationKind } from './configuration-object';

type KindRow = {
  /** What people call one. */
  readonly word: string;
  readonly section: string;
  /** All of it is what the document says; otherwise a field that the document leaves out is left alone. */
  readonly isWhole: boolean;
  /** What cannot be changed once the object is there. */
  readonly fixed: readonly string[];
  /** Said when the object is made, and never compared. */
  readonly onlyNew: readonly string[];
  /** Whether objects of the kind can be taken away. */
  readonly isRemovable: boolean;
  /** Fields that name another object, and its kind. */
  readonly references: Readonly<Record<string, ConfigurationKind>>;
};

const row = (word: string, section: string, more: Partial<KindRow> = {}): KindRow => ({
  ...{ word, section, isWhole: false, fixed: [], onlyNew: [], isRemovable: true, references: {} },
  ...more,
});

/**
 * THE table of kinds, in the order in which objects are made: what others refer to comes first. They are taken away in the
 * opposite order.
 */
export const KINDS: Readonly<Record<ConfigurationKind, KindRow>> = {
  setting: row('setting', 'settings', { isRemovable: false }),
  member: row('member', 'members', { onlyNew: ['email', 'first_name', 'last_name'] }),
  policy: row('policy', 'policies', { isWhole: true }),
  alias: row('alias', 'aliases', { isWhole: true }),
  access_list: row('access list', 'access_lists', { isWhole: true }),
  group: row('group', 'groups', { references: { access_list: 'access_list' } }),
  group_member: row('member of a group', 'groups', { references: { group: 'group', email: 'member' }, fixed: ['group', 'email'] }),
  key: row('key', 'keys', {
    onlyNew: ['name'],
    fixed: ['permissions', 'member'],
    references: { member: 'member', group: 'group', access_list: 'access_list' },
  }),
  guardrail: row('guardrail', 'guardrails', { isWhole: true, references: { key: 'key', group: 'group' } }),
  limit: row('limit', 'limits', {
    isWhole: true,
    fixed: ['scope', 'group', 'member', 'key', 'end_user', 'label', 'value'],
    references: { key: 'key', group: 'group', member: 'member' },
  }),
  alert: row('alert', 'alerts', {
    onlyNew: ['name'],
    fixed: ['scope', 'key', 'group', 'member', 'limit', 'measure', 'channel'],
    references: { key: 'key', group: 'group', member: 'member', limit: 'limit' },
  }),
  provider_credential: row('provider credential', 'provider_credentials', { onlyNew: ['name', 'provider'], fixed: ['mode'] }),
};

export const KIND_ORDER = Object.keys(KINDS) as readonly ConfigurationKind[];
