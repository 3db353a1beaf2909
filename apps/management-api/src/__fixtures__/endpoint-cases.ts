import type { EndpointCase } from './endpoint-case';
import { FINANCE_CASES } from './finance-cases';
import { CHAT_MODEL, type Maker } from './maker';

/** One that is not for chat. */
const EMBEDDING_MODEL = 'sandbox/embedding';

const anId =
  (make: () => Promise<string>): (() => Promise<Record<string, string>>) =>
  async () => ({ id: await make() });
const inGroup = async (make: Maker): Promise<Record<string, string>> => {
  const { group, member } = await make.groupMember();
  return { id: group, member_id: member };
};
const body = (value: object) => (): Promise<object> => Promise.resolve(value);
const string: unknown = expect.any(String);
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const unknownField = { body: { surprise: 1 }, field: 'surprise' };
const limits = [
  unknownField,
  { body: {}, field: 'monthly_limit' },
  { body: { monthly_limit: -1 }, field: 'monthly_limit' },
  { body: { monthly_limit: '5' }, field: 'monthly_limit' },
];
const configurationOf = (make: Maker) => ({
  apiVersion: 'weir/v1',
  kind: 'Configuration',
  metadata: { name: 'cases' },
  aliases: [{ name: make.name(), model: CHAT_MODEL }],
});
const head = { apiVersion: 'weir/v1', kind: 'Configuration', metadata: { name: 'cases' } };
const configurations = [
  { body: { ...head, surprise: 1 }, field: 'surprise' },
  { body: { ...head, kind: 'Deployment' }, field: 'kind' },
  { body: { ...head, keys: [{ name: 'a', group: 'nowhere' }] }, field: 'keys.0.group' },
  { body: { ...head, aliases: [{ name: 'a', model: 'no/model' }] }, field: 'aliases.0.model' },
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
  { query: '?start=2026-01-01T00:00:00Z&filter[colour]=red', field: 'filter' },
  { query: '?start=2026-01-01T00:00:00Z&filter[api_key_id]=mine', field: 'filter[api_key_id]' },
];
const budget = (field: string): NonNullable<EndpointCase['refused']> => [
  unknownField,
  { body: {}, field },
  { body: { [field]: -1 }, field },
];

const named =
  (make: () => Promise<string>): (() => Promise<Record<string, string>>) =>
  async () => ({ name: await make() });
const pages = [
  { query: '?surprise=1', field: 'surprise' },
  { query: '?limit=0', field: 'limit' },
  { query: '?cursor=elsewhere', field: 'cursor' },
];
const revoked = async (make: Maker): Promise<Record<string, string>> => ({ id: await make.revokedKey() });
const secrets = [
  unknownField,
  { body: {}, field: 'api_key' },
  { body: { api_key: 'x', fields: { a: 'b' } }, field: 'api_key' },
  { body: { api_key: 'two\nlines' }, field: 'api_key' },
  { body: { fields: { surprise: 'x' } }, field: 'fields.surprise' },
];
const policy = { strategy: 'weighted', models: [{ model: CHAT_MODEL, weight: 2.5, retries: 1 }, CHAT_MODEL], sticky_by: 'user_id' };
const policies = (rest: object): NonNullable<EndpointCase['refused']> => [
  { body: { ...policy, ...rest, surprise: 1 }, field: 'surprise' },
  { body: { ...policy, ...rest, strategy: 'best' }, field: 'strategy' },
  { body: { ...policy, ...rest, models: [] }, field: 'models' },
  { body: { ...policy, ...rest, models: [{ model: CHAT_MODEL, surprise: 1 }] }, field: 'models.0.surprise' },
  { body: { ...policy, ...rest, models: [CHAT_MODEL, 'no/such-model'] }, field: 'models.1.model' },
  { body: { ...policy, ...rest, models: ['policy/no-such-policy'] }, field: 'models.0.model' },
  { body: { ...policy, ...rest, models: [EMBEDDING_MODEL] }, field: 'models.0.model' },
];
const aliases = (rest: object): NonNullable<EndpointCase['refused']> => [
  { body: { ...rest, model: CHAT_MODEL, surprise: 1 }, field: 'surprise' },
  { body: rest, field: 'model' },
  { body: { ...rest, model: 'no/such-model' }, field: 'model' },
  { body: { ...rest, model: EMBEDDING_MODEL }, field: 'model' },
];
const guardrail = {
  name: 'guarded',
  detectors: ['email', { name: 'badge', pattern: 'EMP-\\d{4,8}' }],
  action: 'mask',
  scanner_url: 'https://scanner.example/v1',
};
const guardrails: NonNullable<EndpointCase['refused']> = [
  { body: { ...guardrail, surprise: 1 }, field: 'surprise' },
  { body: { ...guardrail, detectors: ['ghost'] }, field: 'detectors.0' },
  { body: { ...guardrail, detectors: [{ name: 'badge', pattern: '(a+)+' }] }, field: 'detectors.0.pattern' },
  { body: { ...guardrail, detectors: ['email', { name: 'greek', pattern: '\\p{Script=Greek}' }] }, field: 'detectors.1.pattern' },
  { body: { ...guardrail, detectors: [{ name: 'badge', pattern: 'x', surprise: 1 }] }, field: 'detectors.0.surprise' },
  { body: { ...guardrail, detectors: [{ name: 'words', words: ['x'.repeat(65)] }] }, field: 'detectors.0.words.0' },
  { body: { ...guardrail, scanner_url: 'http://scanner.example' }, field: 'scanner_url' },
  { body: { ...guardrail, api_key_id: UNKNOWN_ID, group_id: UNKNOWN_ID }, field: 'group_id' },
];
const limit = { name: 'limited', scope: 'key', measure: 'usd', window: 'month', amount: 5.25 };
const limitsOf = (limit: object): NonNullable<EndpointCase['refused']> => [
  { body: { ...limit, surprise: 1 }, field: 'surprise' },
  { body: { ...limit, scope: 'planet' }, field: 'scope' },
  { body: { ...limit, group_id: UNKNOWN_ID }, field: 'group_id' },
  { body: { ...limit, scope: 'api_key_label' }, field: 'label' },
  { body: { ...limit, measure: 'tokens' }, field: 'amount' },
  { body: { ...limit, amount: 0 }, field: 'amount' },
  { body: { ...limit, amount: '1e3' }, field: 'amount' },
  { body: { ...limit, window: undefined }, field: 'window' },
  { body: { ...limit, measure: 'concurrent_requests', amount: 5 }, field: 'window' },
  { body: { ...limit, action: 'fallback' }, field: 'fallback_model' },
  { body: { ...limit, fallback_model: CHAT_MODEL }, field: 'fallback_model' },
  { body: { ...limit, action: 'fallback', fallback_model: 'no/such-model' }, field: 'fallback_model' },
  { body: { ...limit, action: 'fallback', fallback_model: 'policy/no-such-policy' }, field: 'fallback_model' },
  { body: { ...limit, action: 'fallback', fallback_model: EMBEDDING_MODEL, modalities: ['chat'] }, field: 'fallback_model' },
  { body: { ...limit, models: [] }, field: 'models' },
];

const SCIM = 'urn:ietf:params:scim:schemas:core:2.0';
const PATCH = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'] };
/** Somebody new each time, as a directory describes them. */
const scimUser = (make: Maker): Promise<object> =>
  Promise.resolve({ schemas: [`${SCIM}:User`], userName: `${make.name()}@example.com`, name: { givenName: 'Ada' } });
const scimUsers: NonNullable<EndpointCase['refused']> = [
  { body: {}, field: 'userName' },
  { body: { userName: 5 }, field: 'userName' },
  { body: { userName: 'ada', emails: 'no address' }, field: 'emails.value' },
  { body: { userName: 'ada@example.com', active: 'perhaps' }, field: 'active' },
  { body: { userName: 'ada@example.com', name: 'Ada' }, field: 'name' },
  { body: { userName: 'ada@example.com', roles: [{ value: 'king' }] }, field: 'roles' },
  { body: { schemas: [`${SCIM}:Group`], userName: 'ada@example.com' }, field: 'schemas' },
];
const scimGroups: NonNullable<EndpointCase['refused']> = [
  { body: {}, field: 'displayName' },
  { body: { displayName: ['x'] }, field: 'displayName' },
  { body: { displayName: 'x'.repeat(201) }, field: 'displayName' },
  { body: { displayName: 'x', members: [{ value: 'ann' }] }, field: 'members.0.value' },
  { body: { displayName: 'x', members: [{ value: UNKNOWN_ID }] }, field: 'members.value' },
];
const scimPatches: NonNullable<EndpointCase['refused']> = [
  { body: {}, field: 'Operations' },
  { body: { Operations: [] }, field: 'Operations' },
  { body: { Operations: [{ op: 'move', path: 'displayName' }] }, field: 'Operations.0.op' },
  { body: { Operations: [{ op: 'add', path: 'displayName', value: 5 }] }, field: 'displayName' },
];
const scimLists = [
  { query: '?filter=userName%20eq' },
  { query: '?filter=shoeSize%20eq%2042' },
  { query: '?count=many', field: 'count' },
  { query: '?startIndex=first', field: 'startIndex' },
];

/** One case for each endpoint of the management interface, each on a line of its own. */
// prettier-ignore
export const ENDPOINT_CASES: readonly EndpointCase[] = [
  ...FINANCE_CASES,
  { id: 'create-access-list', status: 200, body: body({ name: 'new', auto_approve: true, chat: ['a/*'] }), response: { id: string }, refused: [unknownField, { body: {}, field: 'name' }, { body: { name: 'x', chat: 'a/b' }, field: 'chat' }] },
  { id: 'list-access-lists', status: 200, response: { access_lists: expect.any(Array) }, refused: pages },
  { id: 'preview-access-list', status: 200, body: body({ chat: [CHAT_MODEL], image: ['no/such-model'] }), response: { models: { chat: [CHAT_MODEL], image: [] }, names: [], warnings: [expect.objectContaining({ modality: 'image', entry: 'no/such-model' })] }, refused: [unknownField, { body: { chat: 'a/b' }, field: 'chat' }] },
  { id: 'read-access-list', status: 200, params: (make) => anId(make.list)(), response: { access_list: { chat: ['a/b'], embedding: [], auto_approve: false } } },
  { id: 'update-access-list', status: 200, params: (make) => anId(make.list)(), body: body({ image: ['c/d'] }), response: { access_list: { chat: ['a/b'], image: ['c/d'] } }, refused: [unknownField, { body: { auto_approve: 'yes' }, field: 'auto_approve' }] },
  { id: 'delete-access-list', status: 204, params: (make) => anId(make.list)(), refused: [unknownField], conflicts: [async (make) => { const id = await make.list(); await make.key({ access_list_id: id }); return { params: { id } }; }] },
  { id: 'create-api-key', status: 201, body: body({ name: 'new' }), response: { api_key_id: string, api_key: expect.stringMatching(/^weir_test_\w{36}$/) }, refused: [unknownField, { body: {}, field: 'name' }, { body: { name: 'x', permissions: { manage: 'all' } }, field: 'permissions.manage' }, { body: { name: 'x', permissions: { surprise: 1 } }, field: 'permissions.surprise' }, { body: { name: 'x', expires_at: '2020-01-01T00:00:00Z' }, field: 'expires_at' }, { body: { name: 'x', monthly_limit: 1e-13 }, field: 'monthly_limit' }, { body: { name: 'x', member_id: 'ann' }, field: 'member_id' }, { body: '{"name":' }, { body: [] }], foreign: [async (_make, elsewhere) => ({ body: { name: 'x', group_id: await elsewhere.group() } }), async (_make, elsewhere) => ({ body: { name: 'x', access_list_id: await elsewhere.list() } }), async (_make, elsewhere) => ({ body: { name: 'x', member_id: await elsewhere.member() } })] },
  { id: 'list-api-keys', status: 200, response: { keys: expect.arrayContaining([expect.objectContaining({ monthly_spend: 0 })]) }, refused: pages },
  { id: 'read-calling-api-key', status: 200, response: { key: { permissions: { manage: 'write' } } } },
  { id: 'read-calling-api-key-for-editors', status: 200, response: { name: string, monthly_limit: '0', monthly_spend: string, org_balance: string, config: {} } },
  { id: 'read-calling-api-key-usage', status: 200, query: '?start=2026-01-01T00:00:00Z', response: { usage: {} }, refused: usage },
  { id: 'read-api-key', status: 200, params: (make) => anId(make.key)(), response: { key: { monthly_limit: 0, permissions: { manage: 'none', completions: 'write' }, labels: {}, group: null, priority: 'normal', share: 1, status: 'active' } } },
  { id: 'revoke-api-key', status: 204, params: (make) => anId(make.key)(), refused: [unknownField] },
  { id: 'set-api-key-labels', status: 204, params: (make) => anId(make.key)(), body: body({ labels: { team: 'red' } }), refused: labels, conflicts: [async (make) => ({ params: await revoked(make), body: { labels: {} } })] },
  { id: 'set-api-key-limit', status: 204, params: (make) => anId(make.key)(), body: body({ monthly_limit: 12.5 }), refused: limits, conflicts: [async (make) => ({ params: await revoked(make), body: { monthly_limit: 1 } })] },
  { id: 'set-api-key-access-list', status: 204, params: (make) => anId(make.key)(), body: async (make) => ({ access_list_id: await make.list() }), refused: [unknownField, { body: {}, field: 'access_list_id' }], conflicts: [async (make) => ({ params: await revoked(make), body: { access_list_id: null } })], foreign: [async (make, elsewhere) => ({ params: { id: await make.key() }, body: { access_list_id: await elsewhere.list() } })] },
  { id: 'set-api-key-group', status: 204, params: (make) => anId(make.key)(), body: async (make) => ({ group_id: await make.group() }), refused: [unknownField, { body: {}, field: 'group_id' }], conflicts: [async (make) => ({ params: await revoked(make), body: { group_id: null } })], foreign: [async (make, elsewhere) => ({ params: { id: await make.key() }, body: { group_id: await elsewhere.group() } })] },
  { id: 'set-api-key-expiry', status: 204, params: (make) => anId(make.key)(), body: body({ expires_at: '2999-01-01T00:00:00Z' }), refused: [unknownField, { body: { expires_at: 'soon' }, field: 'expires_at' }], conflicts: [async (make) => ({ params: await revoked(make), body: { expires_at: null } })] },
  { id: 'set-api-key-priority', status: 204, params: (make) => anId(make.key)(), body: body({ priority: 'high', share: 3 }), refused: [unknownField, { body: {} }, { body: { priority: 'urgent' }, field: 'priority' }, { body: { share: 0 }, field: 'share' }, { body: { share: 1.5 }, field: 'share' }, { body: { share: 101 }, field: 'share' }], conflicts: [async (make) => ({ params: await revoked(make), body: { share: 2 } })] },
  { id: 'rotate-api-key', status: 200, params: (make) => anId(make.key)(), response: { api_key: string }, refused: [unknownField, { body: { overlap_seconds: 86_401 }, field: 'overlap_seconds' }], conflicts: [async (make) => ({ params: await revoked(make) })] },
  { id: 'read-api-key-usage', status: 200, params: (make) => anId(make.key)(), query: '?start=2026-01-01T00:00:00Z', response: { usage: {} }, refused: usage },
  { id: 'create-group', status: 200, body: body({ name: 'new', monthly_limit: 5 }), response: { group_id: string }, refused: [unknownField, { body: { monthly_limit: 5 }, field: 'name' }], conflicts: [async (make) => { const name = make.name(); await make.group({ name }); return { body: { name } }; }] },
  { id: 'list-groups', status: 200, response: { groups: expect.any(Array) }, refused: pages },
  { id: 'read-group', status: 200, params: (make) => anId(make.group)(), response: { group: { monthly_limit: 10, members: [] } } },
  { id: 'update-group', status: 200, params: (make) => anId(make.group)(), body: body({ monthly_limit: 7 }), response: { group: { monthly_limit: 7 } }, refused: [unknownField, { body: { name: '' }, field: 'name' }], conflicts: [async (make) => { const name = make.name(); await make.group({ name }); return { params: { id: await make.group() }, body: { name } }; }] },
  { id: 'delete-group', status: 204, params: (make) => anId(make.group)(), refused: [unknownField], conflicts: [async (make) => { const id = await make.group(); await make.key({ group_id: id }); return { params: { id } }; }] },
  { id: 'set-group-labels', status: 204, params: (make) => anId(make.group)(), body: body({ labels: { team: 'red' } }), refused: labels },
  { id: 'set-group-access-list', status: 204, params: (make) => anId(make.group)(), body: async (make) => ({ access_list_id: await make.list() }), refused: [unknownField, { body: {}, field: 'access_list_id' }], foreign: [async (make, elsewhere) => ({ params: { id: await make.group() }, body: { access_list_id: await elsewhere.list() } })] },
  { id: 'set-group-budget', status: 409, params: (make) => anId(make.group)(), body: body({ monthly_budget: 5 }), refused: budget('monthly_budget') },
  { id: 'set-group-user-budget', status: 409, params: (make) => anId(make.group)(), body: body({ monthly_budget_per_user: 5 }), refused: budget('monthly_budget_per_user') },
  { id: 'add-group-member', status: 200, params: (make) => anId(make.group)(), body: async (make) => ({ user_id: await make.member(), role: 'admin' }), response: { group: { members: [{ role: 'admin', active: true, monthly_spend: 0, monthly_limit: 10, rate_limit: 0 }] } }, refused: [unknownField, { body: { user_id: 'x', role: 'owner' }, field: 'role' }], foreign: [async (make, elsewhere) => ({ params: { id: await make.group() }, body: { user_id: await elsewhere.member(), role: 'member' } })] },
  { id: 'remove-group-member', status: 200, params: inGroup, response: { group: { members: [] } }, refused: [unknownField, { body: {}, field: 'user_id' }], foreign: [async (make, elsewhere) => ({ params: { id: await make.group() }, body: { user_id: await elsewhere.member() } })] },
  { id: 'set-group-member-role', status: 200, params: inGroup, body: body({ role: 'admin' }), response: { group: { members: [{ role: 'admin' }] } }, refused: [unknownField, { body: { role: 'owner' }, field: 'role' }] },
  { id: 'set-group-member-limit', status: 200, params: inGroup, body: body({ monthly_limit: 3.25 }), response: { group: { members: [{ monthly_limit: 3.25 }] } }, refused: limits },
  { id: 'set-group-member-rate-limit', status: 200, params: inGroup, body: body({ rate_limit: 60 }), response: { group: { members: [{ rate_limit: 60 }] } }, refused: [unknownField, { body: { rate_limit: 1.5 }, field: 'rate_limit' }] },
  { id: 'set-group-member-budget', status: 409, params: inGroup, body: body({ monthly_budget: 5 }), refused: budget('monthly_budget') },
  { id: 'list-members', status: 200, response: { members: expect.arrayContaining([expect.objectContaining({ user_email: string, first_name: string })]) }, refused: pages },
  { id: 'add-member', status: 201, body: body({ email: 'New.Person@somewhere.example', first_name: 'New' }), response: { member: { user_email: 'new.person@somewhere.example', first_name: 'New', last_name: '' } }, refused: [unknownField, { body: { email: 'unknown' }, field: 'email' }], conflicts: [async (make) => { const email = `${make.name()}@somewhere.example`; await make.member({ email }); return { body: { email, role: 'admin' } }; }] },
  { id: 'set-member-role', status: 200, params: (make) => anId(make.member)(), body: body({ role: 'admin' }), response: { member: { role: 'admin' } }, refused: [unknownField, { body: {}, field: 'role' }, { body: { role: 'owner' }, field: 'role' }] },
  { id: 'offboard-member', status: 200, params: (make) => anId(make.member)(), response: { was_member: true }, refused: [unknownField] },
  { id: 'read-organization-usage', status: 200, query: '?start=2026-01-01T00:00:00Z&group_by=api_key_id&group_by=model_used', response: { usage: {} }, refused: [...usage, { query: '?start=2026-01-01T00:00:00Z&group_by=colour', field: 'group_by' }] },
  { id: 'read-organization-performance', status: 200, query: '?start=2026-01-01T00:00:00Z&group_by=api_key_id', response: { performance: {}, total: { requests: 0, errors: 0, error_share: null, attempts: 0, attempt_errors: 0, milliseconds: { mean: null, p50: null, p95: null }, first_byte_milliseconds: { mean: null, p50: null, p95: null }, grouped_data: [] }, is_sampled: false, sample: { requests: 0, of: 0 } }, refused: [...usage, { query: '?start=2026-01-01T00:00:00Z&group_by=colour', field: 'group_by' }] },
  { id: 'export-organization-usage', status: 200, query: '?period=2026-01', refused: [{ query: '', field: 'period' }, { query: '?period=2026-02-30', field: 'period' }, { query: '?period=2999-01', field: 'period' }, { query: '?period=2026-01&format=xls', field: 'format' }, { query: '?period=2026-01-05&resolution=month', field: 'resolution' }, { query: '?period=2026-01&surprise=1', field: 'surprise' }, { query: '?period=2026-01&names=no', field: 'names' }, { query: '?period=2026-01&filter[colour]=red', field: 'filter' }] },
  { id: 'list-usage-exports', status: 200, query: '?from=2026-01-01&to=2026-01-31', response: { exports: [], next: null }, refused: [{ query: '?from=January', field: 'from' }, { query: '?to=2026-02-30', field: 'to' }, ...pages] },
  { id: 'read-reconciliation', status: 200, query: '?month=2026-01', response: { reconciliation: { month: '2026-01', unexplained_usd: '0', differences: [] } }, refused: [{ query: '?month=January', field: 'month' }, { query: '?surprise=1', field: 'surprise' }] },
  { id: 'read-organization', status: 200, response: { organization: { budget_mode: 'global', data_residency: null, zero_data_retention: false, approved_models: null, tier: 'free', limits_unavailable: 'lease', clamp_to_limit: false, charge_failed_attempts: false, data_used_for_training: true, strict_access: false, keep_contents_days: null, time_zone: 'UTC' } } },
  { id: 'preview-organization', status: 200, body: body({ approved_models: { chat: [CHAT_MODEL] } }), response: { settings: { data_residency: null, approved_models: { chat: [CHAT_MODEL], image: [] } }, models: { usable_then: 1 }, shut_out: expect.any(Array), let_in: [] }, refused: [unknownField, { body: { data_residency: 'moon' }, field: 'data_residency' }, { body: { approved_models: { chat: 'all' } }, field: 'approved_models.chat' }, { body: { keep_contents_days: 31 }, field: 'keep_contents_days' }, { body: { keep_contents_days: 0 }, field: 'keep_contents_days' }] },
  { id: 'update-organization', status: 204, body: body({ clamp_to_limit: false }), refused: [unknownField, { body: { time_zone: 'Mars/Olympus' }, field: 'time_zone' }, { body: { time_zone: '+02:00' }, field: 'time_zone' }, { body: { budget_mode: 'none' }, field: 'budget_mode' }, { body: { approved_models: { chat: 'all' } }, field: 'approved_models.chat' }] },
  { id: 'create-limit', status: 201, body: body(limit), response: { id: string }, refused: limitsOf(limit), conflicts: [async (make) => { const name = make.name(); await make.limit({ name }); return { body: { ...limit, name } }; }], foreign: [async (make, elsewhere) => ({ body: { ...limit, name: make.name(), api_key_id: await elsewhere.key() } }), async (make, elsewhere) => ({ body: { ...limit, name: make.name(), scope: 'group', group_id: await elsewhere.group() } }), async (make, elsewhere) => ({ body: { ...limit, name: make.name(), scope: 'member', member_id: await elsewhere.member() } })] },
  { id: 'list-limits', status: 200, query: '?scope=key&usage=true', response: { limits: expect.any(Array) }, refused: [...pages, { query: '?scope=planet', field: 'scope' }, { query: '?api_key_id=mine', field: 'api_key_id' }, { query: '?usage=yes', field: 'usage' }] },
  { id: 'preview-limit', status: 200, body: body({ scope: 'end_user', measure: 'concurrent_streams', amount: 2, days: 2 }), response: { requests: 0, bound: 0, would_have_refused: 0, share: null, is_partial: false, days: expect.any(Array), examples: [], fullest: [] }, refused: [...limitsOf(limit), { body: { ...limit, days: 32 }, field: 'days' }], foreign: [async (_make, elsewhere) => ({ body: { ...limit, api_key_id: await elsewhere.key() } })] },
  { id: 'read-limit', status: 200, params: (make) => anId(make.limit)(), response: { limit: { scope: 'key', measure: 'requests', window: 'day', amount: '5', action: 'refuse', version: 1, usage: [] } } },
  { id: 'replace-limit', status: 200, params: (make) => anId(make.limit)(), body: async (make) => ({ ...limit, name: make.name(), action: 'fallback', fallback_model: CHAT_MODEL }), response: { limit: { measure: 'usd', amount: '5.25', fallback_model: CHAT_MODEL, version: 2 } }, refused: limitsOf(limit), conflicts: [async (make) => { const name = make.name(); await make.limit({ name }); return { params: { id: await make.limit() }, body: { ...limit, name } }; }], foreign: [async (make, elsewhere) => ({ params: { id: await make.limit() }, body: { ...limit, name: make.name(), api_key_id: await elsewhere.key() } })] },
  { id: 'delete-limit', status: 204, params: (make) => anId(make.limit)(), refused: [unknownField], conflicts: [async (make) => { const id = await make.limit(); await make.alert({ scope: 'limit', limit_id: id }); return { params: { id } }; }] },
  { id: 'read-balance', status: 200, response: { balance: { currency: 'USD', total: '0', cash: '0', promotion: '0', gift: '0' } } },
  { id: 'list-balance-history', status: 200, query: '?limit=5', response: { history: [], next: null }, refused: [{ query: '?surprise=1', field: 'surprise' }, { query: '?limit=0', field: 'limit' }, { query: '?cursor=x', field: 'cursor' }] },
  { id: 'read-auto-top-up', status: 200, response: { auto_top_up: { enabled: expect.any(Boolean) } } },
  { id: 'set-auto-top-up', status: 200, body: body({ threshold: 5, amount: 20.5, monthly_cap: 100 }), response: { auto_top_up: { enabled: true, threshold: '5', amount: '20.5', monthly_cap: '100' } }, refused: [unknownField, { body: { threshold: 5, amount: 0, monthly_cap: 1 }, field: 'amount' }, { body: { threshold: 5, amount: 10, monthly_cap: 1 }, field: 'monthly_cap' }, { body: { threshold: 1e-13, amount: 10, monthly_cap: 10 }, field: 'threshold' }] },
  { id: 'create-alert', status: 201, body: async (make) => ({ scope: 'key', api_key_id: await make.key(), percentage: 80, url: 'https://example.com/hook' }), response: { id: string, secret: expect.stringMatching(/^whsec_[\w-]{43}$/) }, refused: [unknownField, { body: { scope: 'key', percentage: 80, url: 'https://example.com' }, field: 'api_key_id' }, { body: { scope: 'balance', amount: 5, percentage: 80, url: 'https://example.com' }, field: 'percentage' }, { body: { scope: 'balance', url: 'https://example.com' }, field: 'percentage' }, { body: { scope: 'balance', amount: 5, url: 'ftp://example.com' }, field: 'url' }, { body: { scope: 'limit', percentage: 80, url: 'https://example.com' }, field: 'limit_id' }, { body: { scope: 'anomaly', amount: 5, url: 'https://example.com' }, field: 'amount' }, { body: { scope: 'balance', amount: 5, sensitivity: 'low', url: 'https://example.com' }, field: 'sensitivity' }, { body: { scope: 'balance', amount: 5, channel: 'slack' }, field: 'url' }, { body: { scope: 'balance', amount: 5, channel: 'email' }, field: 'to' }, { body: { scope: 'balance', amount: 5, channel: 'email', to: ['no address'] }, field: 'to.0' }, { body: { scope: 'balance', amount: 5, to: ['ann@example.com'], url: 'https://example.com' }, field: 'to' }, { body: { scope: 'balance', amount: 5, repeat_hours: 721, url: 'https://example.com' }, field: 'repeat_hours' }], foreign: [async (_, elsewhere) => ({ body: { scope: 'key', api_key_id: await elsewhere.key(), percentage: 80, url: 'https://example.com/hook' } }), async (_, elsewhere) => ({ body: { scope: 'limit', limit_id: await elsewhere.limit(), percentage: 80, url: 'https://example.com/hook' } }), async (_, elsewhere) => ({ body: { scope: 'anomaly', api_key_id: await elsewhere.key(), url: 'https://example.com/hook' } })] },
  { id: 'list-alerts', status: 200, response: { alerts: expect.any(Array) }, refused: [{ query: '?surprise=1', field: 'surprise' }] },
  { id: 'list-alert-deliveries', status: 200, params: (make) => anId(make.alert)(), response: { deliveries: [], next: null }, refused: [{ query: '?limit=0', field: 'limit' }, { query: '?surprise=1', field: 'surprise' }] },
  { id: 'list-refusals', status: 200, response: { refusals: [], next: null }, refused: [{ query: '?limit=0', field: 'limit' }, { query: '?surprise=1', field: 'surprise' }] },
  { id: 'update-alert', status: 200, params: (make) => anId(make.alert)(), body: body({ percentage: 20, repeat_hours: 24, notify_recovery: true, url: 'https://example.com/other' }), response: { alert: { scope: 'balance', percentage: 20, amount: null, channel: 'webhook', target: 'https://example.com/other', repeat_hours: 24, notify_recovery: true } }, refused: [unknownField, { body: { scope: 'key' }, field: 'scope' }, { body: { channel: 'slack' }, field: 'channel' }, { body: { percentage: 5, amount: 5 }, field: 'percentage' }, { body: { repeat_hours: 0 }, field: 'repeat_hours' }] },
  { id: 'test-alert', status: 200, params: (make) => anId(make.alert)(), response: { delivery: { kind: 'test', status: 'pending', attempts: 0, value: '0' } }, refused: [unknownField] },
  { id: 'delete-alert', status: 204, params: (make) => anId(make.alert)(), refused: [unknownField] },
  { id: 'read-contents', status: 200, params: async (make) => ({ request_id: await make.keptRequest() }), response: { request: { body: string, is_cut: false }, response: { body: string, is_cut: false, status: 200, content_type: 'application/json' }, kept_until: string } },
  { id: 'list-audit', status: 200, query: '?limit=5', response: { audit: expect.any(Array) }, refused: [{ query: '?surprise=1', field: 'surprise' }, { query: '?limit=0', field: 'limit' }] },
  { id: 'export-audit', status: 200, query: '?format=json', refused: [{ query: '?surprise=1', field: 'surprise' }, { query: '?format=pdf', field: 'format' }, { query: '?start=yesterday', field: 'start' }] },
  { id: 'verify-audit', status: 200, response: { verification: { first_broken: null, missing: 0, has_newest: true }, next: null }, refused: [{ query: '?surprise=1', field: 'surprise' }, { query: '?cursor=999999999999999999', field: 'cursor' }, { query: '?cursor=last', field: 'cursor' }, { query: '?limit=5001', field: 'limit' }] },
  { id: 'export-configuration', status: 200, query: '?name=all', response: { apiVersion: 'weir/v1', kind: 'Configuration', metadata: { name: 'all' } }, refused: [{ query: '?surprise=1', field: 'surprise' }, { query: '?format=xml', field: 'format' }] },
  { id: 'preview-configuration', status: 200, query: '?prune=true', body: (make) => Promise.resolve(configurationOf(make)), response: { configuration: 'cases', steps: [{ action: 'create', kind: 'alias' }], secrets: [], notes: [] }, refused: configurations },
  { id: 'apply-configuration', status: 200, body: (make) => Promise.resolve(configurationOf(make)), response: { configuration: 'cases', summary: '1 to create', steps: [{ action: 'create', kind: 'alias' }], secrets: [] }, refused: configurations, conflicts: [async (make) => { const { metadata, ...rest } = configurationOf(make); const document = { ...rest, metadata: { ...metadata, name: 'others' } }; await make.configuration(document); return { body: { ...document, metadata } }; }] },
  { id: 'list-providers', status: 200, response: { providers: expect.any(Array), processes: 0 }, refused: [{ query: '?surprise=1', field: 'surprise' }] },
  { id: 'create-provider-credential', status: 201, body: (make) => Promise.resolve({ provider: 'cloud', name: make.name(), fields: { access_id: 'id', access_secret: `secret-of-${make.name()}` }, mode: 'only' }), response: { id: string }, refused: [{ body: { provider: 'plain', api_key: 'x', surprise: 1 }, field: 'surprise' }, { body: { provider: 'unknown', api_key: 'x' }, field: 'provider' }, { body: { provider: 'plain' }, field: 'api_key' }, { body: { provider: 'plain', api_key: 'x', mode: 'never' }, field: 'mode' }, { body: { provider: 'plain', fields: { api_key: 'x', surprise: 'y' } }, field: 'fields.surprise' }, { body: { provider: 'cloud', api_key: 'x' }, field: 'api_key' }, { body: { provider: 'cloud', fields: { access_id: 'x' } }, field: 'fields.access_secret' }], conflicts: [async (make) => { const name = make.name(); await make.credential({ name }); return { body: { provider: 'plain', name, api_key: `other-${name}` } }; }, async (make) => { const name = make.name(); await make.credential({ api_key: `same-${name}` }); return { body: { provider: 'plain', name, api_key: `same-${name}` } }; }] },
  { id: 'list-provider-credentials', status: 200, response: { provider_credentials: expect.any(Array) }, refused: pages },
  { id: 'read-provider-credential', status: 200, params: (make) => anId(() => make.credential({ api_key: `the-own-key-${make.name()}` }))(), response: { provider_credential: { provider: 'plain', mode: 'prefer', last4: expect.stringMatching(/^.{4}$/), version: 1 } } },
  { id: 'rotate-provider-credential', status: 200, params: (make) => anId(make.credential)(), body: (make) => Promise.resolve({ api_key: `rotated-${make.name()}` }), response: { provider_credential: { version: 2 } }, refused: secrets, conflicts: [async (make) => { const api_key = `kept-${make.name()}`; return { params: { id: await make.credential({ api_key }) }, body: { api_key } }; }] },
  { id: 'test-provider-credential', status: 200, params: (make) => anId(make.credential)(), response: { ok: true }, refused: [unknownField] },
  { id: 'delete-provider-credential', status: 204, params: (make) => anId(make.credential)(), refused: [unknownField] },
  { id: 'create-policy', status: 201, body: (make) => Promise.resolve({ name: make.name(), ...policy }), response: { id: expect.stringMatching(/^policy\/rule-/) }, refused: [...policies({ name: 'new' }), { body: policy, field: 'name' }, { body: { ...policy, name: 'no space' }, field: 'name' }, { body: { ...policy, name: 'circle', models: ['policy/circle'] }, field: 'models' }], conflicts: [async (make) => ({ body: { ...policy, name: await make.policy() } })] },
  { id: 'list-policies', status: 200, response: { policies: expect.any(Array) }, refused: pages },
  { id: 'read-policy', status: 200, params: (make) => named(() => make.policy(policy))(), response: { policy: { strategy: 'weighted', models: [{ model: CHAT_MODEL, weight: 2.5, retries: 1 }, { model: CHAT_MODEL, weight: 1, retries: 0 }], sticky_by: 'user_id', version: 1 } } },
  { id: 'replace-policy', status: 200, params: (make) => named(make.policy)(), body: body(policy), response: { policy: { strategy: 'weighted', version: 2 } }, refused: [...policies({}), { body: { ...policy, name: 'other' }, field: 'name' }] },
  { id: 'delete-policy', status: 204, params: (make) => named(make.policy)(), refused: [unknownField], conflicts: [async (make) => { const name = await make.policy(); await make.alias({ model: `policy/${name}` }); return { params: { name } }; }, async (make) => { const name = await make.policy(); await make.policy({ models: [`policy/${name}`] }); return { params: { name } }; }] },
  { id: 'create-alias', status: 201, body: (make) => Promise.resolve({ name: make.name(), model: CHAT_MODEL }), response: { id: expect.stringMatching(/^rule-/) }, refused: [...aliases({ name: 'new' }), { body: { model: CHAT_MODEL }, field: 'name' }, { body: { name: CHAT_MODEL, model: CHAT_MODEL }, field: 'name' }, { body: { name: 'policy/mine', model: CHAT_MODEL }, field: 'name' }], conflicts: [async (make) => ({ body: { name: await make.alias(), model: CHAT_MODEL } })] },
  { id: 'list-aliases', status: 200, response: { aliases: expect.any(Array) }, refused: pages },
  { id: 'read-alias', status: 200, params: (make) => named(make.alias)(), response: { alias: { model: CHAT_MODEL, version: 1 } } },
  { id: 'replace-alias', status: 200, params: (make) => named(make.alias)(), body: async (make) => ({ model: `policy/${await make.policy()}` }), response: { alias: { model: expect.stringMatching(/^policy\//), version: 2 } }, refused: [...aliases({}), { body: { name: 'other', model: CHAT_MODEL }, field: 'name' }] },
  { id: 'delete-alias', status: 204, params: (make) => named(make.alias)(), refused: [unknownField] },
  { id: 'create-guardrail', status: 201, body: async (make) => ({ ...guardrail, name: make.name(), group_id: await make.group() }), response: { id: string }, refused: [...guardrails, { body: { ...guardrail, name: '' }, field: 'name' }], conflicts: [async (make) => { const name = make.name(); await make.guardrail({ name }); return { body: { ...guardrail, name } }; }], foreign: [async (make, elsewhere) => ({ body: { ...guardrail, name: make.name(), group_id: await elsewhere.group() } }), async (make, elsewhere) => ({ body: { ...guardrail, name: make.name(), api_key_id: await elsewhere.key() } })] },
  { id: 'list-guardrails', status: 200, response: { guardrails: expect.any(Array) }, refused: pages },
  { id: 'test-guardrail', status: 200, body: async (make) => ({ text: 'To ann@example.com', guardrail_ids: [await make.guardrail()] }), response: { outcome: 'flagged', text: 'To ann@example.com', findings: [expect.objectContaining({ detector: 'email', action: 'flag', start: 3, end: 18 })], not_asked: [] }, refused: [unknownField, { body: { text: 'x' }, field: 'guardrail' }, { body: { text: '', guardrail: { detectors: ['email'], action: 'flag' } }, field: 'text' }, { body: { text: 'x', guardrail: { detectors: ['ghost'], action: 'flag' } }, field: 'guardrail.detectors.0' }, { body: { text: 'x', guardrail: { detectors: [{ name: 'greek', pattern: '\\p{Script=Greek}' }], action: 'flag' } }, field: 'guardrail.detectors.0.pattern' }] },
  { id: 'read-guardrail', status: 200, params: (make) => anId(make.guardrail)(), response: { guardrail: { detectors: ['email'], action: 'flag', stage: 'both', on_error: 'closed', version: 1 } } },
  { id: 'replace-guardrail', status: 200, params: (make) => anId(make.guardrail)(), body: (make) => Promise.resolve({ ...guardrail, name: make.name() }), response: { guardrail: { action: 'mask', scanner_url: 'https://scanner.example/v1', version: 2 } }, refused: guardrails, conflicts: [async (make) => { const name = make.name(); await make.guardrail({ name }); return { params: { id: await make.guardrail() }, body: { ...guardrail, name } }; }], foreign: [async (make, elsewhere) => ({ params: { id: await make.guardrail() }, body: { ...guardrail, name: make.name(), api_key_id: await elsewhere.key() } })] },
  { id: 'delete-guardrail', status: 204, params: (make) => anId(make.guardrail)(), refused: [unknownField] },
  { id: 'scim-read-configuration', status: 200, response: { patch: { supported: true }, bulk: { supported: false }, etag: { supported: true } } },
  { id: 'scim-list-resource-types', status: 200, response: { totalResults: 2, Resources: [{ id: 'User', endpoint: '/Users' }, { id: 'Group', endpoint: '/Groups' }] } },
  { id: 'scim-read-resource-type', status: 200, params: () => Promise.resolve({ id: 'User' }), response: { name: 'User', schema: `${SCIM}:User` } },
  { id: 'scim-list-schemas', status: 200, response: { totalResults: 3 } },
  { id: 'scim-read-schema', status: 200, params: () => Promise.resolve({ id: `${SCIM}:Group` }), response: { name: 'Group' } },
  { id: 'scim-list-users', status: 200, query: '?count=2&attributes=userName', response: { Resources: expect.any(Array), startIndex: 1 }, refused: scimLists },
  { id: 'scim-search-users', status: 200, body: body({ filter: 'active eq true', count: 1, attributes: ['userName'] }), response: { itemsPerPage: 1 }, refused: [{ body: { filter: 5 }, field: 'filter' }, { body: { filter: 'shoeSize pr' } }, { body: { count: 'many' }, field: 'count' }] },
  { id: 'scim-create-user', status: 201, body: scimUser, response: { id: string, active: true, name: { givenName: 'Ada' }, meta: { resourceType: 'User', version: string } }, refused: [...scimUsers, { body: { userName: 'ada' }, field: 'emails' }], conflicts: [async (make) => { const userName = `${make.name()}@example.com`; await make.member({ email: userName }); return { body: { userName } }; }] },
  { id: 'scim-read-user', status: 200, params: (make) => anId(make.member)(), response: { id: string, active: true, emails: [{ primary: true }] } },
  { id: 'scim-replace-user', status: 200, params: (make) => anId(make.member)(), body: scimUser, response: { name: { givenName: 'Ada' }, active: true }, refused: scimUsers, conflicts: [async (make) => { const email = `${make.name()}@example.com`; await make.member({ email }); return { params: { id: await make.member() }, body: { userName: email } }; }] },
  { id: 'scim-patch-user', status: 200, params: (make) => anId(make.member)(), body: body({ ...PATCH, Operations: [{ op: 'Replace', path: 'active', value: 'False' }, { op: 'add', path: 'title', value: 'Analyst' }] }), response: { active: false, title: 'Analyst' }, refused: [...scimPatches, { body: { Operations: [{ op: 'add', path: 'shoeSize', value: 42 }] } }, { body: { Operations: [{ op: 'replace', path: 'groups', value: [] }] }, field: 'groups' }, { body: { Operations: [{ op: 'remove', path: 'userName' }] }, field: 'userName' }] },
  { id: 'scim-delete-user', status: 204, params: (make) => anId(make.member)(), refused: [unknownField] },
  { id: 'scim-list-groups', status: 200, query: '?excludedAttributes=members', response: { Resources: expect.any(Array) }, refused: [{ query: '?filter=displayName%20is%20%22x%22' }, { query: '?count=many', field: 'count' }] },
  { id: 'scim-search-groups', status: 200, body: body({ filter: 'displayName sw "x"' }), response: { Resources: [] }, refused: [{ body: { filter: 5 }, field: 'filter' }] },
  { id: 'scim-create-group', status: 201, body: async (make) => ({ schemas: [`${SCIM}:Group`], displayName: make.name(), members: [{ value: await make.member() }] }), response: { id: string, members: [{ type: 'User', $ref: string }], meta: { version: expect.stringMatching(/^W\/"/) } }, refused: scimGroups, conflicts: [async (make) => { const displayName = make.name(); await make.group({ name: displayName }); return { body: { displayName } }; }] },
  { id: 'scim-read-group', status: 200, params: (make) => anId(make.group)(), response: { displayName: string } },
  { id: 'scim-replace-group', status: 200, params: (make) => anId(make.group)(), body: (make) => Promise.resolve({ displayName: make.name(), externalId: 'g-1' }), response: { externalId: 'g-1' }, refused: scimGroups, conflicts: [async (make) => { const displayName = make.name(); await make.group({ name: displayName }); return { params: { id: await make.group() }, body: { displayName } }; }] },
  { id: 'scim-patch-group', status: 200, params: (make) => anId(make.group)(), body: async (make) => ({ ...PATCH, Operations: [{ op: 'add', path: 'members', value: [{ value: await make.member() }] }] }), response: { members: [{ type: 'User' }] }, refused: [...scimPatches, { body: { Operations: [{ op: 'remove' }] }, field: 'path' }] },
  { id: 'scim-delete-group', status: 204, params: (make) => anId(make.group)(), refused: [unknownField], conflicts: [async (make) => { const id = await make.group(); await make.key({ group_id: id }); return { params: { id } }; }] },
];
