import { fillOrganization } from '@weir/testing';
import { createCallHarness, type HarnessReply } from '../harness/call-harness';
import type { Harness } from '../harness/start-standalone';
import { OPENAI } from '../harness/create-routes';

const SIZE = { days: 60, keys: 24, members: 12, groups: 5, requests: 9_000 };
const CHAT = { model: 'sandbox/chat', messages: [{ role: 'user', content: 'Good morning' }] };

/** Ids of requests, one of which two providers were asked for, of a group, and the key of a member. */
export type Sample = { readonly requestId: string; readonly failedId: string; readonly groupId: string; readonly memberKey: string };

/** What the console is shown with: an organization of some weeks and some people. */
export async function makeSample(gateway: Harness, databaseUrl: string): Promise<Sample> {
  const call = createCallHarness(gateway);
  const must = async (route: string, body?: unknown, apiKey = gateway.apiKey): Promise<HarnessReply> => {
    const reply = await call(route, body, { authorization: `Bearer ${apiKey}` });
    if (reply.status > 299) throw new Error(`${route}: ${reply.status} ${reply.text}`);
    return reply;
  };
  const { id } = (await must('GET /v1/organization')).json['organization'] as { id: string };
  await fillOrganization(databaseUrl, id, SIZE);
  for (const [route, body] of Object.entries(RULES)) await must(route, body);
  await must('POST /v1/manage/policy', { name: 'careful', strategy: 'fallback', models: [OPENAI, 'sandbox/chat'] });
  for (const limit of LIMITS) await must('POST /v1/manage/limit', limit);
  let requestId = '';
  for (let sent = 0; sent < 5; sent += 1) {
    requestId = (await must('POST /v1/chat/completions', CHAT)).headers['x-request-id'] ?? requestId;
  }
  const failedId = (await must('POST /v1/chat/completions', { ...CHAT, model: 'policy/careful' })).headers['x-request-id'] ?? '';
  const { groups } = (await must('GET /v1/manage/group')).json as { readonly groups: readonly [{ readonly id: string }] };
  const { members } = (await must('GET /v1/manage/org/member?limit=2')).json as {
    readonly members: readonly { readonly user_id: string }[];
  };
  const owner = { name: 'notebook', member_id: members.at(-1)?.user_id, monthly_limit: 20 };
  const memberKey = String((await must('POST /v1/manage/apikey', owner)).json['api_key']);
  await must('POST /v1/chat/completions', { ...CHAT, max_tokens: 100 }, memberKey);
  return { requestId, failedId, groupId: groups[0].id, memberKey };
}

const RULES = {
  'POST /v1/manage/policy': {
    ...{ name: 'support', strategy: 'weighted' },
    models: [
      { model: 'sandbox/chat', weight: 3 },
      { model: 'sandbox/chat-free', weight: 1 },
    ],
  },
  'POST /v1/manage/alias': { name: 'assistant', model: 'policy/support' },
  'POST /v1/manage/guardrail': { name: 'Addresses of people', detectors: ['email', 'phone'], action: 'mask', stage: 'input' },
  'POST /v1/manage/access-list': { name: 'Small models', chat: ['sandbox/*', 'openai/*mini*'], embedding: ['*'] },
  'POST /v1/manage/alert': { scope: 'balance', amount: 50, url: 'https://93.184.216.34/weir' },
};

const LIMITS = [
  { name: 'A day of a key', scope: 'key', measure: 'usd', window: 'day', amount: 5 },
  {
    ...{ name: 'Tokens of a team', scope: 'group', measure: 'tokens', window: '30d', amount: 1_000_000, modalities: ['chat'] },
    ...{ action: 'fallback', fallback_model: 'sandbox/chat-free' },
  },
  { name: 'Streams of a user', scope: 'end_user', measure: 'concurrent_streams', amount: 2 },
];
