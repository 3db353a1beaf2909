import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Where a gateway is managed, and by what the operator's program reaches its database. */
export type Managed = {
  readonly folder: string;
  readonly url: string;
  readonly administratorKey: string;
  readonly operatorEnv: Readonly<Record<string, string>>;
};

const USD = 1_000_000;
/** Every cache has learned of a change after five seconds. */
const LEARNED_MS = 6_000;

/** Makes a key that four limits bind: its own, its member's in a group, the group's and the organization's balance. */
export async function createLimitedKey(managed: Managed): Promise<string> {
  const call = createCaller(managed);
  const { organization } = (await call('GET', '/v1/manage/org')) as { organization: { id: string } };
  const { member } = (await call('POST', '/v1/manage/org/member', { email: 'bench@example.com' })) as { member: { user_id: string } };
  const group = (await call('POST', '/v1/manage/group', { name: 'bench' })) as { group_id: string };
  const groupPath = `/v1/manage/group/${group.group_id}`;
  await call('PATCH', '/v1/manage/org', { budget_mode: 'group' });
  await call('POST', `${groupPath}/budget`, { monthly_budget: USD });
  await call('POST', `${groupPath}/budget/user`, { monthly_budget_per_user: USD });
  await call('POST', `${groupPath}/member`, { user_id: member.user_id, role: 'member' });
  const made = (await call('POST', '/v1/manage/apikey', {
    name: 'bench',
    monthly_limit: USD,
    group_id: group.group_id,
    member_id: member.user_id,
    permissions: { completions: 'write' },
  })) as { api_key: string };
  addBalance(managed, organization.id);
  await new Promise((done) => setTimeout(done, LEARNED_MS));
  return made.api_key;
}

function createCaller({ url, administratorKey }: Managed): (method: string, path: string, body?: object) => Promise<unknown> {
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${administratorKey}`, 'content-type': 'application/json' };
    const reply = await fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path} got ${reply.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}

function addBalance({ folder, operatorEnv }: Managed, organization: string): void {
  const args = [join(folder, 'apps/operator/bin/weir.cjs'), 'balance', 'add', '--organization', organization, '--amount', String(USD)];
  execFileSync(process.execPath, args, { env: { ...process.env, ...operatorEnv }, stdio: ['ignore', 'ignore', 'inherit'] });
}
