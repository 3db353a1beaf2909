import { EXAMPLE_IDS, type ExampleKind } from '@weir/api-description';
import { waitUntil } from '@weir/testing';
import type { Harness } from '../harness/start-standalone';
import { PICTURE } from './sample-files';

/** Where no webhook is ever delivered: alerts of examples do not fire. */
const HOOK_URL = 'http://127.0.0.1:9/hook';

export type ThingMaker = {
  /** An example's text with ids of new things in place of those that stand for them. */
  fill(text: string): Promise<string>;
};

type Caller = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;

/** Makes what the examples of one operation need to exist, through the interface itself. */
export function createThingMaker(harness: Harness, count: () => number): ThingMaker {
  const make = createMakers(harness, createCaller(harness), count);
  return {
    fill: async (text) => {
      let filled = text.replaceAll(/https:\/\/hooks\.example\.com\/[\w/]+/g, HOOK_URL);
      let group: Promise<string> | undefined;
      const ofThisExample = (): Promise<string> => (group ??= make.group(() => Promise.reject(new Error('a group is in no group'))));
      for (const [kind, id] of Object.entries(EXAMPLE_IDS) as [ExampleKind, string][]) {
        if (!filled.includes(id)) continue;
        filled = filled.replaceAll(id, kind === 'group' ? await ofThisExample() : await make[kind](ofThisExample));
      }
      return filled;
    },
  };
}

function createCaller(harness: Harness): Caller {
  return async (method, path, body) => {
    const reply = await fetch(`${harness.managementUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (reply.status > 299) throw new Error(`${method} ${path} answered ${reply.status}: ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  };
}

function readModel(harness: Harness, id: string): Promise<Response> {
  return fetch(`${harness.url}/v1/models/${id}`, { headers: { authorization: `Bearer ${harness.apiKey}` } });
}

/** One for each kind of thing; `group` is the group of the same example. */
type Makers = Record<ExampleKind, (group: () => Promise<string>) => Promise<string>>;

function createMakers(harness: Harness, call: Caller, count: () => number): Makers {
  const post = async (path: string, body: object, id: string): Promise<string> => String((await call('POST', path, body))[id]);
  const name = (word: string): string => `${word}-${count()}`;
  const person = async (): Promise<string> => {
    const { member } = await call('POST', '/v1/manage/org/member', { email: `${name('person')}@example.com` });
    return String((member as { user_id: string }).user_id);
  };
  const chat = { model: 'sandbox/chat', messages: [{ role: 'user', content: 'Hello' }] };
  const rule = async (path: string, body: object): Promise<string> => {
    const made = name('rule');
    await post(path, { name: made, ...body }, 'id');
    return made;
  };

  const chatOnce = async (): Promise<string> => {
    const reply = await fetch(`${harness.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(chat),
    });
    await reply.text();
    return reply.headers.get('x-request-id') ?? '';
  };

  return {
    apiKey: () => post('/v1/manage/apikey', { name: name('key') }, 'api_key_id'),
    revocableKey: () => post('/v1/manage/apikey', { name: name('key') }, 'api_key_id'),
    accessList: () => post('/v1/manage/access-list', { name: name('list'), chat: ['sandbox/*'] }, 'id'),
    unusedAccessList: () => post('/v1/manage/access-list', { name: name('list') }, 'id'),
    group: () => post('/v1/manage/group', { name: name('group') }, 'group_id'),
    unusedGroup: () => post('/v1/manage/group', { name: name('group') }, 'group_id'),
    member: person,
    groupMember: async (group) => {
      const id = await person();
      await call('POST', `/v1/manage/group/${await group()}/member`, { user_id: id, role: 'member' });
      return id;
    },
    alert: () => post('/v1/manage/alert', { scope: 'balance', amount: 1, url: HOOK_URL }, 'id'),
    credential: () =>
      post('/v1/manage/provider-credential', { provider: 'fireworks', name: name('account'), api_key: name('a-key-of-ours') }, 'id'),
    guardrail: () => post('/v1/manage/guardrail', { name: name('rule'), detectors: ['email'], action: 'flag' }, 'id'),
    limit: () =>
      post('/v1/manage/limit', { name: name('limit'), scope: 'key', measure: 'requests', window: 'day', amount: 1_000_000 }, 'id'),
    ...createFinanceMakers(call, count),
    policy: () => rule('/v1/manage/policy', { strategy: 'fallback', models: ['sandbox/chat'] }),
    unusedPolicy: () => rule('/v1/manage/policy', { strategy: 'fallback', models: ['sandbox/chat'] }),
    alias: async () => {
      const made = await rule('/v1/manage/alias', { model: 'sandbox/chat' });
      await waitUntil('the alias is in force', async () => (await readModel(harness, made)).ok);
      return made;
    },
    file: async () => {
      const form = new FormData();
      form.set('purpose', 'user_data');
      form.set('file', new Blob([new Uint8Array(PICTURE)], { type: 'image/png' }), 'picture.png');
      const reply = await fetch(`${harness.url}/v1/files`, {
        method: 'POST',
        headers: { authorization: `Bearer ${harness.apiKey}` },
        body: form,
      });
      return String(((await reply.json()) as { id: string }).id);
    },
    // These are of every organization.
    ...{ scimResourceType: () => Promise.resolve('User'), scimSchema: () => Promise.resolve(EXAMPLE_IDS.scimSchema) },
    keptRequest: () => makeKeptRequest(harness, call, chatOnce),
    request: async () => {
      const id = await chatOnce();
      await untilCounted(harness, id);
      return id;
    },
  };
}

/** What finance has: invoices, and months that are closed. */
function createFinanceMakers(call: Caller, count: () => number) {
  return {
    invoice: async () => {
      const parties = { seller: { name: 'Seller' }, buyer: { name: 'Buyer' } };
      const body = { month: '2026-01', recipient: { kind: 'organization' }, series: `S${count()}`, ...parties };
      return String(((await call('POST', '/v1/manage/invoice', body))['invoice'] as { id: string }).id);
    },
    monthToClose: () => nextMonth(call),
    closedMonth: async () => {
      const month = await nextMonth(call);
      await call('POST', '/v1/manage/org/month-close', { month });
      return month;
    },
  };
}

/** The month that may be closed next, which the checklist of any other one names once some are closed. */
async function nextMonth(call: Caller): Promise<string> {
  const { month_close: state } = await call('GET', '/v1/manage/org/month-close?month=2025-12');
  const { checklist } = state as { checklist: { item: string; message: string }[] };
  const order = checklist.find(({ item }) => item === 'months_before_closed');
  return /(\d{4}-\d{2})\.$/.exec(order?.message ?? '')?.[1] ?? '2026-01';
}

/** Edges learn within five seconds that contents are to be kept; the requests before that have none. */
async function makeKeptRequest({ managementUrl }: Harness, call: Caller, chatOnce: () => Promise<string>): Promise<string> {
  await call('PATCH', '/v1/manage/org', { keep_contents_days: 1 });
  const { api_key: key } = await call('POST', '/v1/manage/apikey', { name: 'a reader', permissions: { contents: 'read' } });
  const headers = { authorization: `Bearer ${String(key)}` };
  let id = '';
  await waitUntil('contents of a request are kept', async () => {
    id = await chatOnce();
    await new Promise((resolve) => setTimeout(resolve, 500));
    return (await fetch(`${managementUrl}/v1/manage/generation/${id}/content`, { headers })).status === 200;
  });
  return id;
}

/** A request is known once its event is counted. */
async function untilCounted(harness: Harness, id: string): Promise<void> {
  const ask = () => fetch(`${harness.url}/v1/generation/${id}`, { headers: { authorization: `Bearer ${harness.apiKey}` } });
  await waitUntil(`the request ${id} is counted`, async () => (await ask()).status === 200);
}
