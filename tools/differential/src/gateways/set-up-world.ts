import { setTimeout } from 'node:timers/promises';
import { createManage, type Manage } from './management';
import type { Gateway } from './start-gateway';
import type { KeyName, World } from './world';

/** How long until what was changed is in force everywhere. */
const IN_FORCE_MS = 6_000;
const EXPIRES_AFTER_MS = 3_000;

type Notes = { readonly keys: Map<KeyName, string>; readonly administrators: Map<KeyName, string>; readonly names: Map<string, string> };

/** Makes keys and rules, the same in every gateway, and the organizations whose keys are needed; waits until all of it is in force. */
export async function setUpWorld(gateway: Gateway, needed: ReadonlySet<KeyName>): Promise<World> {
  const notes: Notes = { keys: new Map(), administrators: new Map(), names: new Map() };
  await setUpMain(gateway, notes);
  for (const row of ORGANIZATIONS) if (needed.has(row.key)) await setUpOrganization(gateway, notes, row);
  await setTimeout(IN_FORCE_MS);
  return notes;
}

type OrganizationRow = {
  readonly key: KeyName;
  readonly settings?: object;
  /** USD. */
  readonly credit?: string;
  readonly keyBody?: object;
  readonly more?: (manage: Manage) => Promise<unknown>;
};

const POLICIES = [
  { name: 'chain', strategy: 'fallback', models: ['xai/grok-4.3', 'deepseek/deepseek-chat', 'groq/meta/llama-3.3-70b-versatile'] },
  { name: 'again', strategy: 'fallback', models: [{ model: 'together/alibaba/qwen3.5-9b', retries: 1 }, 'anthropic/claude-haiku-4-5'] },
  { name: 'mixed', strategy: 'fallback', models: ['fireworks/deepseek/deepseek-v3', 'anthropic/claude-haiku-4-5'] },
  {
    name: 'sticky',
    strategy: 'weighted',
    sticky_by: 'trace_id',
    models: [
      { model: 'openai/gpt-4o-mini', weight: 3 },
      { model: 'mistral/mistral-small-latest', weight: 1 },
    ],
  },
  { name: 'cheap', strategy: 'price', models: ['openai/gpt-4o', 'openai/gpt-4o-mini', 'anthropic/claude-haiku-4-5'] },
];

const addRoutes = async (manage: Manage): Promise<void> => {
  for (const policy of POLICIES) await manage('POST /v1/manage/policy', policy);
  await manage('POST /v1/manage/alias', { name: 'fast', model: 'openai/gpt-4o-mini' });
  await manage('POST /v1/manage/alias', { name: 'careful', model: 'policy/mixed' });
};

const addOwnKeys = async (manage: Manage): Promise<void> => {
  const own = (provider: string, api_key: string, mode: string): Promise<unknown> =>
    manage('POST /v1/manage/provider-credential', { provider, api_key, mode });
  await own('openai', 'own-key-of-openai-0123456789', 'prefer');
  await own('anthropic', 'own-key-of-anthropic-0123456789', 'only');
};

const ORGANIZATIONS: readonly OrganizationRow[] = [
  { key: 'clamped', settings: { clamp_to_limit: true }, keyBody: { monthly_limit: 0.006 } },
  { key: 'zero', settings: { zero_data_retention: true } },
  { key: 'resident', settings: { data_residency: 'eu' } },
  { key: 'charged', settings: { charge_failed_attempts: true }, credit: '1000', more: addRoutes },
  { key: 'own', credit: '1000', more: addOwnKeys },
  { key: 'broke', credit: '0.000000001' },
  { key: 'free' },
];

async function setUpOrganization(gateway: Gateway, notes: Notes, { key, settings, credit, keyBody, more }: OrganizationRow): Promise<void> {
  const made = await gateway.operate('organization', 'create', '--name', key, '--email', `${key}@example.com`);
  const id = note(notes, made['organization_id'], `organization ${key}`);
  note(notes, made['api_key_id'], `first key of ${key}`);
  const administrator = note(notes, made['api_key'], `secret of the first key of ${key}`);
  notes.administrators.set(key, administrator);
  const manage = createManage(gateway, administrator);
  await noteMembers(manage, notes);
  if (credit !== undefined)
    await gateway.operate('balance', 'add', '--organization', id, '--amount', credit, '--idempotency-key', `credit-${key}`);
  if (settings !== undefined) await manage('PATCH /v1/manage/org', settings);
  await more?.(manage);
  await addKey(manage, notes, key, keyBody);
}

async function setUpMain(gateway: Gateway, notes: Notes): Promise<void> {
  const manage = createManage(gateway, gateway.apiKey);
  const { organization } = (await manage('GET /v1/manage/org')) as { organization: { id: string } };
  note(notes, organization.id, 'organization main');
  await noteMembers(manage, notes);
  await addRoutes(manage);
  await addKeys(manage, notes);
  await addLimitedKeys(manage, notes);
  await addGuardedKeys(manage, notes);
  await gateway.operate('balance', 'add', '--organization', organization.id, '--amount', '1000000', '--idempotency-key', 'credit-main');
}

async function addKeys(manage: Manage, notes: Notes): Promise<void> {
  const list = await manage('POST /v1/manage/access-list', {
    name: 'some',
    chat: ['openai/gpt-4o-mini', 'policy/chain', 'fast'],
    embedding: ['openai/*'],
  });
  const listId = note(notes, list['access_list_id'] ?? list['id'], 'access list some');
  await addKey(manage, notes, 'plain', { labels: { team: 'search', stage: 'live' } });
  await addKey(manage, notes, 'poor', { monthly_limit: 0.000001 });
  await addKey(manage, notes, 'expired', { expires_at: new Date(Date.now() + EXPIRES_AFTER_MS).toISOString() });
  const revoked = await addKey(manage, notes, 'revoked');
  await manage(`DELETE /v1/manage/apikey/${revoked}`);
  await addKey(manage, notes, 'reader', { permissions: { completions: 'read' } });
  await addKey(manage, notes, 'idle', { permissions: { completions: 'none', manage: 'read' } });
  await addKey(manage, notes, 'listed', { access_list_id: listId });
}

/** A key that four limits bind, and one of a member with a rate. */
async function addLimitedKeys(manage: Manage, notes: Notes): Promise<void> {
  await manage('PATCH /v1/manage/org', { budget_mode: 'group' });
  const member = await addMember(manage, notes, 'limited');
  const group = await addGroup(manage, notes, 'limited');
  await manage(`POST /v1/manage/group/${group}/budget`, { monthly_budget: 1_000_000 });
  await manage(`POST /v1/manage/group/${group}/budget/user`, { monthly_budget_per_user: 1_000_000 });
  await manage(`POST /v1/manage/group/${group}/member`, { user_id: member, role: 'member' });
  await addKey(manage, notes, 'four', { monthly_limit: 1_000_000, group_id: group, member_id: member });
  const hurried = await addMember(manage, notes, 'rated');
  const rated = await addGroup(manage, notes, 'rated');
  await manage(`POST /v1/manage/group/${rated}/member`, { user_id: hurried, role: 'member' });
  await manage(`PUT /v1/manage/group/${rated}/member/${hurried}/rate-limit`, { rate_limit: 4 });
  await addKey(manage, notes, 'rated', { group_id: rated, member_id: hurried });
}

async function addGuardedKeys(manage: Manage, notes: Notes): Promise<void> {
  for (const [key, action] of [
    ['flagging', 'flag'],
    ['masking', 'mask'],
    ['blocking', 'block'],
  ] as const) {
    const id = await addKey(manage, notes, key);
    const detectors = ['email', 'card', { name: 'projects', words: ['Falcon'] }];
    await manage('POST /v1/manage/guardrail', { name: `${action} private data`, detectors, action, stage: 'both', api_key_id: id });
  }
}

/** Returns the key's id. */
async function addKey(manage: Manage, notes: Notes, key: KeyName, body: object = {}): Promise<string> {
  const made = await manage('POST /v1/manage/apikey', { name: key, permissions: { completions: 'write' }, ...body });
  notes.keys.set(key, note(notes, made['api_key'], `secret of ${key}`));
  return note(notes, made['api_key_id'] ?? made['id'], `key ${key}`);
}

/** Those that were there from the beginning. */
async function noteMembers(manage: Manage, notes: Notes): Promise<void> {
  const { members } = (await manage('GET /v1/manage/org/member')) as { members: readonly { user_id: string; email: string | null }[] };
  for (const { user_id: id, email } of members) note(notes, id, `member ${email ?? 'without an address'}`);
}

async function addMember(manage: Manage, notes: Notes, name: string): Promise<string> {
  const { member } = (await manage('POST /v1/manage/org/member', { email: `${name}@example.com` })) as { member: { user_id: string } };
  return note(notes, member.user_id, `member ${name}`);
}

async function addGroup(manage: Manage, notes: Notes, name: string): Promise<string> {
  return note(notes, (await manage('POST /v1/manage/group', { name }))['group_id'], `group ${name}`);
}

function note({ names }: Notes, text: unknown, meaning: string): string {
  if (typeof text !== 'string') throw new Error(`the gateway returned no ${meaning}`);
  names.set(text, meaning);
  return text;
}
