import { waitUntil } from '@weir/testing';

type Must = (route: string, body: object) => Promise<Record<string, unknown>>;

/** What a page that took a name for its own text would run. */
export const HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
const PUBLIC_ADDRESS = 'https://93.184.216.34/weir?';

export type HostileThings = { readonly keyId: string; readonly groupId: string };

/** Gives every field that takes a text of one's own a hostile one: of requests, keys, groups, members, alerts and rules. */
export async function nameWithScripts(must: Must): Promise<HostileThings> {
  const { member } = (await must('POST /v1/manage/org/member', {
    email: 'mallory@acme.example',
    first_name: HOSTILE,
    last_name: HOSTILE,
  })) as { readonly member: { readonly user_id: string } };
  const list = { name: HOSTILE, chat: ['sandbox/*', HOSTILE] };
  const { id: listId } = (await must('POST /v1/manage/access-list', list)) as { readonly id: string };
  const labels = { team: HOSTILE, 'cost-center': HOSTILE };
  const { group_id: groupId } = (await must('POST /v1/manage/group', { name: HOSTILE })) as { readonly group_id: string };
  await must(`POST /v1/manage/group/${groupId}/label`, { labels });
  await must(`POST /v1/manage/group/${groupId}/member`, { user_id: member.user_id, role: 'member' });
  const { api_key_id: keyId } = (await must('POST /v1/manage/apikey', {
    name: HOSTILE,
    labels,
    group_id: groupId,
    member_id: member.user_id,
    access_list_id: listId,
  })) as { readonly api_key_id: string };
  const url = `${PUBLIC_ADDRESS}${HOSTILE}`;
  await must('POST /v1/manage/alert', { scope: 'key', api_key_id: keyId, percentage: 80, url });
  await must('POST /v1/manage/alert', { scope: 'member', group_id: groupId, member_id: member.user_id, amount: 5, url });
  const limit = { name: HOSTILE, scope: 'api_key_label', label: 'team', value: HOSTILE, measure: 'requests', window: 'day', amount: 1_000 };
  await must('POST /v1/manage/limit', limit);
  const detectors = ['email', { name: 'words', words: [HOSTILE] }];
  await must('POST /v1/manage/guardrail', { name: HOSTILE, detectors, action: 'flag', stage: 'input' });
  await must('POST /v1/manage/policy', { name: 'hostile', strategy: 'fallback', models: ['sandbox/chat', 'sandbox/chat-free'] });
  await must('POST /v1/manage/alias', { name: 'hostile-alias', model: 'policy/hostile' });
  await must('POST /v1/chat/completions', {
    model: 'policy/hostile',
    user: HOSTILE,
    messages: [{ role: 'user', content: HOSTILE }],
  });
  return { keyId, groupId };
}

/** The id of the newest request, once one is counted. */
export async function findNewestRequest(must: (route: string) => Promise<Record<string, unknown>>): Promise<string> {
  let id: string | undefined;
  await waitUntil('a request is counted', async () => {
    const { generations } = (await must('GET /v1/generation?limit=1')) as { readonly generations: readonly { readonly id: string }[] };
    return (id = generations[0]?.id) !== undefined;
  });
  return id ?? '';
}
