import type { ManagementHouse, Organization, Reply } from './start-management';

/** What a case may need to exist, made through the interface itself. */
export type Maker = {
  key(body?: object): Promise<string>;
  group(body?: object): Promise<string>;
  list(): Promise<string>;
  member(): Promise<string>;
  /** A group and a member of it. */
  groupMember(): Promise<{ group: string; member: string }>;
};

export function createMaker(house: ManagementHouse, { apiKey }: Organization): Maker {
  let count = 0;
  const post = async (path: string, body: object): Promise<Reply> => {
    const reply = await house.call('POST', path, { key: apiKey, body });
    if (reply.status > 201) throw new Error(`${path} answered ${reply.status}: ${reply.text}`);
    return reply;
  };
  const unique = (word: string): string => `${word} ${(count += 1)}`;
  const maker: Maker = {
    key: async (body = {}) => String((await post('/v1/manage/apikey', { name: unique('key'), ...body })).json['api_key_id']),
    group: async (body = {}) =>
      String((await post('/v1/manage/group', { name: unique('group'), monthly_limit: 10, ...body })).json['group_id']),
    list: async () => String((await post('/v1/manage/access-list', { name: unique('list'), chat: ['a/b'] })).json['id']),
    member: async () => {
      const email = `${unique('person').replace(' ', '')}@${apiKey.slice(-6)}.example`;
      return String((await post('/v1/manage/org/member', { email })).json['member']['user_id']);
    },
    groupMember: async () => {
      const [group, member] = [await maker.group(), await maker.member()];
      await post(`/v1/manage/group/${group}/member`, { user_id: member, role: 'member' });
      return { group, member };
    },
  };
  return maker;
}

export type EndpointCase = {
  /** The row of the endpoint table. */
  readonly id: string;
  readonly status: number;
  /** Values for the path's parameters. */
  readonly params?: (make: Maker) => Promise<Record<string, string>>;
  readonly query?: string;
  readonly body?: (make: Maker) => Promise<object>;
  /** Part of the answer. */
  readonly answer?: object;
  /** Bodies (or queries, for a GET) that are refused, each with the field that must be named. */
  readonly refused?: readonly { body?: unknown; query?: string; field?: string }[];
};

const anId =
  (make: () => Promise<string>): (() => Promise<Record<string, string>>) =>
  async () => ({ id: await make() });
const inGroup = async (make: Maker): Promise<Record<string, string>> => {
  const { group, member } = await make.groupMember();
  return { id: group, member_id: member };
};
const body = (value: object) => (): Promise<object> => Promise.resolve(value);
const string: unknown = expect.any(String);
const unknownField = { body: { surprise: 1 }, field: 'surprise' };
const limits = [
  unknownField,
  { body: {}, field: 'monthly_limit' },
  { body: { monthly_limit: -1 }, field: 'monthly_limit' },
  { body: { monthly_limit: '5' }, field: 'monthly_limit' },
];
const labels = [
  unknownField,
  { body: { labels: [] }, field: 'labels' },
  { body: { labels: { 'no space': 'x' } }, field: 'labels.no space' },
];
const usage = [
  { query: '', field: 'start' },
  { query: '?start=2026-01-01T00:00:00Z&end=2026-06-01T00:00:00Z', field: 'end' },
  { query: '?start=2026-01-01T00:00:00Z&surprise=1', field: 'surprise' },
];
const budget = (field: string): NonNullable<EndpointCase['refused']> => [
  unknownField,
  { body: {}, field },
  { body: { [field]: -1 }, field },
];

/** One case for each endpoint of the management interface, each on a line of its own. */
// prettier-ignore
export const ENDPOINT_CASES: readonly EndpointCase[] = [
  { id: 'create-access-list', status: 200, body: body({ name: 'new', auto_approve: true, chat: ['a/*'] }), answer: { id: string }, refused: [unknownField, { body: {}, field: 'name' }, { body: { name: 'x', chat: 'a/b' }, field: 'chat' }] },
  { id: 'list-access-lists', status: 200, answer: { access_lists: expect.any(Array) } },
  { id: 'read-access-list', status: 200, params: (make) => anId(make.list)(), answer: { access_list: { chat: ['a/b'], embedding: [], auto_approve: false } } },
  { id: 'update-access-list', status: 200, params: (make) => anId(make.list)(), body: body({ image: ['c/d'] }), answer: { access_list: { chat: ['a/b'], image: ['c/d'] } }, refused: [unknownField, { body: { auto_approve: 'yes' }, field: 'auto_approve' }] },
  { id: 'delete-access-list', status: 204, params: (make) => anId(make.list)(), refused: [unknownField] },
  { id: 'create-api-key', status: 201, body: body({ name: 'new' }), answer: { api_key_id: string, api_key: expect.stringMatching(/^weir_test_\w{36}$/) }, refused: [unknownField, { body: {}, field: 'name' }, { body: { name: 'x', permissions: { manage: 'all' } }, field: 'permissions.manage' }, { body: { name: 'x', permissions: { surprise: 1 } }, field: 'permissions.surprise' }, { body: { name: 'x', expires_at: '2020-01-01T00:00:00Z' }, field: 'expires_at' }, { body: { name: 'x', monthly_limit: 1e-13 }, field: 'monthly_limit' }, { body: '{"name":' }, { body: [] }] },
  { id: 'list-api-keys', status: 200, answer: { keys: expect.arrayContaining([expect.objectContaining({ monthly_spend: 0 })]) } },
  { id: 'read-calling-api-key', status: 200, answer: { key: { permissions: { manage: 'write' } } } },
  { id: 'read-calling-api-key-usage', status: 200, query: '?start=2026-01-01T00:00:00Z', answer: { usage: {} }, refused: usage },
  { id: 'read-api-key', status: 200, params: (make) => anId(make.key)(), answer: { key: { monthly_limit: 0, permissions: { manage: 'none', completions: 'write' }, labels: {}, group: null, status: 'active' } } },
  { id: 'revoke-api-key', status: 204, params: (make) => anId(make.key)(), refused: [unknownField] },
  { id: 'set-api-key-labels', status: 204, params: (make) => anId(make.key)(), body: body({ labels: { team: 'red' } }), refused: labels },
  { id: 'set-api-key-limit', status: 204, params: (make) => anId(make.key)(), body: body({ monthly_limit: 12.5 }), refused: limits },
  { id: 'set-api-key-access-list', status: 204, params: (make) => anId(make.key)(), body: async (make) => ({ access_list_id: await make.list() }), refused: [unknownField, { body: {}, field: 'access_list_id' }] },
  { id: 'set-api-key-group', status: 204, params: (make) => anId(make.key)(), body: async (make) => ({ group_id: await make.group() }), refused: [unknownField, { body: {}, field: 'group_id' }] },
  { id: 'set-api-key-expiry', status: 204, params: (make) => anId(make.key)(), body: body({ expires_at: '2999-01-01T00:00:00Z' }), refused: [unknownField, { body: { expires_at: 'soon' }, field: 'expires_at' }] },
  { id: 'rotate-api-key', status: 200, params: (make) => anId(make.key)(), answer: { api_key: string }, refused: [unknownField, { body: { overlap_seconds: 86_401 }, field: 'overlap_seconds' }] },
  { id: 'read-api-key-usage', status: 200, params: (make) => anId(make.key)(), query: '?start=2026-01-01T00:00:00Z', answer: { usage: {} }, refused: usage },
  { id: 'create-group', status: 200, body: body({ name: 'new', monthly_limit: 5 }), answer: { group_id: string }, refused: [unknownField, { body: { monthly_limit: 5 }, field: 'name' }] },
  { id: 'list-groups', status: 200, answer: { groups: expect.any(Array) } },
  { id: 'read-group', status: 200, params: (make) => anId(make.group)(), answer: { group: { monthly_limit: 10, members: [] } } },
  { id: 'update-group', status: 200, params: (make) => anId(make.group)(), body: body({ monthly_limit: 7 }), answer: { group: { monthly_limit: 7 } }, refused: [unknownField, { body: { name: '' }, field: 'name' }] },
  { id: 'delete-group', status: 204, params: (make) => anId(make.group)(), refused: [unknownField] },
  { id: 'set-group-labels', status: 204, params: (make) => anId(make.group)(), body: body({ labels: { team: 'red' } }), refused: labels },
  { id: 'set-group-access-list', status: 204, params: (make) => anId(make.group)(), body: async (make) => ({ access_list_id: await make.list() }), refused: [unknownField, { body: {}, field: 'access_list_id' }] },
  { id: 'set-group-budget', status: 409, params: (make) => anId(make.group)(), body: body({ monthly_budget: 5 }), refused: budget('monthly_budget') },
  { id: 'set-group-user-budget', status: 409, params: (make) => anId(make.group)(), body: body({ monthly_budget_per_user: 5 }), refused: budget('monthly_budget_per_user') },
  { id: 'add-group-member', status: 200, params: (make) => anId(make.group)(), body: async (make) => ({ user_id: await make.member(), role: 'admin' }), answer: { group: { members: [{ role: 'admin', active: true, monthly_spend: 0, monthly_limit: 0, rate_limit: 0 }] } }, refused: [unknownField, { body: { user_id: 'x', role: 'owner' }, field: 'role' }] },
  { id: 'remove-group-member', status: 200, params: inGroup, answer: { group: { members: [] } }, refused: [unknownField, { body: {}, field: 'user_id' }] },
  { id: 'set-group-member-role', status: 200, params: inGroup, body: body({ role: 'admin' }), answer: { group: { members: [{ role: 'admin' }] } }, refused: [unknownField, { body: { role: 'owner' }, field: 'role' }] },
  { id: 'set-group-member-limit', status: 200, params: inGroup, body: body({ monthly_limit: 3.25 }), answer: { group: { members: [{ monthly_limit: 3.25 }] } }, refused: limits },
  { id: 'set-group-member-rate-limit', status: 200, params: inGroup, body: body({ rate_limit: 60 }), answer: { group: { members: [{ rate_limit: 60 }] } }, refused: [unknownField, { body: { rate_limit: 1.5 }, field: 'rate_limit' }] },
  { id: 'set-group-member-budget', status: 409, params: inGroup, body: body({ monthly_budget: 5 }), refused: budget('monthly_budget') },
  { id: 'list-members', status: 200, answer: { members: expect.arrayContaining([expect.objectContaining({ user_email: string, first_name: string })]) } },
  { id: 'add-member', status: 201, body: body({ email: 'New.Person@somewhere.example', first_name: 'New' }), answer: { member: { user_email: 'new.person@somewhere.example', first_name: 'New', last_name: '' } }, refused: [unknownField, { body: { email: 'nobody' }, field: 'email' }] },
  { id: 'offboard-member', status: 200, params: (make) => anId(make.member)(), refused: [unknownField] },
  { id: 'read-organization-usage', status: 200, query: '?start=2026-01-01T00:00:00Z&group_by=api_key_id&group_by=model_used', answer: { usage: {} }, refused: [...usage, { query: '?start=2026-01-01T00:00:00Z&group_by=colour', field: 'group_by' }] },
  { id: 'read-organization', status: 200, answer: { organization: { budget_mode: 'global', data_residency: null, zero_data_retention: false, approved_models: null, tier: 'free', limits_unavailable: 'lease', clamp_to_limit: false, charge_failed_attempts: false } } },
  { id: 'update-organization', status: 204, body: body({ clamp_to_limit: false }), refused: [unknownField, { body: { budget_mode: 'none' }, field: 'budget_mode' }, { body: { approved_models: { chat: 'all' } }, field: 'approved_models.chat' }] },
  { id: 'list-audit', status: 200, query: '?limit=5', answer: { audit: expect.any(Array) }, refused: [{ query: '?surprise=1', field: 'surprise' }, { query: '?limit=0', field: 'limit' }] },
];
