import { fillOrganization } from '@weir/testing';
import { createCallHarness, type CallHarness } from '../harness/call-harness';
import type { Harness } from '../harness/start-standalone';

const SIZE = { days: 60, keys: 24, members: 12, groups: 5, requests: 9_000 };
const CHAT = { model: 'sandbox/chat', messages: [{ role: 'user', content: 'Good morning' }] };

/** What the console is shown with: an organization of some weeks and some people. Returns the id of a request. */
export async function makeSample(gateway: Harness, databaseUrl: string): Promise<string> {
  const call = createCallHarness(gateway);
  const { id } = (await call('GET /v1/organization')).json['organization'] as { id: string };
  await fillOrganization(databaseUrl, id, SIZE);
  await addRules(call);
  let requestId = '';
  for (let sent = 0; sent < 5; sent += 1) {
    const reply = await call('POST /v1/chat/completions', CHAT);
    requestId = reply.headers['x-request-id'] ?? requestId;
  }
  return requestId;
}

async function addRules(call: CallHarness): Promise<void> {
  const models = [
    { model: 'sandbox/chat', weight: 3 },
    { model: 'sandbox/chat-free', weight: 1 },
  ];
  await call('POST /v1/manage/policy', { name: 'support', strategy: 'weighted', models });
  await call('POST /v1/manage/alias', { name: 'assistant', model: 'policy/support' });
  await call('POST /v1/manage/guardrail', { name: 'Addresses of people', detectors: ['email', 'phone'], action: 'mask', stage: 'input' });
  await call('POST /v1/manage/access-list', { name: 'Small models', entries: [{ modality: 'chat', pattern: 'sandbox/*' }] });
  await call('POST /v1/manage/alert', { scope: 'balance', amount: 50, url: 'https://hooks.example.com/weir' });
}
