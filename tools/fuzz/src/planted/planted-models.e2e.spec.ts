import { createBuiltInCatalog, type ModelRecord } from '@weir/model-catalog';
import { startStandalone, type Harness } from '@weir/gateway-e2e';
import { createCompatibleRows, listChoosing } from '@weir/providers';
import { startFakeUpstream, type FakeUpstream, type RecordedRequest, type ReplyScript } from '@weir/testing';

/** What a caller would rather have had. */
const PLANTED = 'the-dearest-model-there-is';
/** The paths of each wire format at a provider, and here. */
const CHATS = {
  'chat-completions': { path: '/v1/chat/completions', body: { max_tokens: 16, messages: [{ role: 'user', content: 'Hello' }] } },
  responses: { path: '/v1/responses', body: { max_output_tokens: 16, input: 'Hello' } },
  messages: { path: '/v1/messages', body: { max_tokens: 16, messages: [{ role: 'user', content: 'Hello' }] } },
} as const;
type Dialect = keyof typeof CHATS;

const ROWS = createCompatibleRows().list();
const CATALOG = createBuiltInCatalog();
/** A model of each provider that speaks a dialect of our callers. */
const MODELS = [...ROWS.map(({ id }) => id), 'anthropic', 'openai-responses'].flatMap((provider): ModelRecord[] => {
  const found = CATALOG.list('chat').find((record) => record.provider === provider && !record.responsesOnly);
  return found === undefined ? [] : [found];
});
const AT_ONCE = 8;

/** Whatever is asked for comes from whatever model was planted, at its price. */
function obey({ bodyText, path }: RecordedRequest): ReplyScript {
  const { model } = JSON.parse(bodyText) as { model: string };
  const served = bodyText.includes(PLANTED) ? PLANTED : model;
  const usage = { input_tokens: 5, output_tokens: 2 };
  if (path.endsWith('/messages')) {
    const content = [{ type: 'text', text: 'Hi' }];
    return {
      body: { id: 'm', type: 'message', role: 'assistant', model: served, content, stop_reason: 'end_turn', stop_sequence: null, usage },
    };
  }
  if (path.endsWith('/responses')) {
    const output = [
      { type: 'message', id: 'o', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Hi', annotations: [] }] },
    ];
    return {
      body: {
        id: 'r',
        object: 'response',
        created_at: 1,
        status: 'completed',
        model: served,
        output,
        usage: { ...usage, total_tokens: 7 },
      },
    };
  }
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }];
  const counts = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
  return { body: { id: 'c', object: 'chat.completion', created: 1, model: served, choices, usage: counts } };
}

describe('models that are planted in members of a body', () => {
  let gateway: Harness;
  let upstream: FakeUpstream;

  beforeAll(async () => {
    upstream = await startFakeUpstream();
    upstream.reply(obey, { when: () => true });
    const keys = [...ROWS.map(({ id }) => id), 'anthropic', 'openai-responses'].flatMap((id): [string, string][] => {
      const name = `PROVIDER_${id.toUpperCase().replaceAll('-', '_')}`;
      return [
        [`${name}_API_KEY`, 'a-key'],
        [`${name}_BASE_URL`, `${upstream.url}/v1`],
      ];
    });
    gateway = await startStandalone({ env: Object.fromEntries(keys) });
  }, 60_000);
  afterAll(async () => {
    expect(await gateway.process.terminate()).toBe(0);
    await upstream.stop();
  });

  async function plant(record: ModelRecord, dialect: Dialect, member: string): Promise<string | undefined> {
    const { path, body } = CHATS[dialect];
    const text = JSON.stringify({ ...body, model: record.id, [member]: [{ model: PLANTED }] });
    const headers = { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' };
    const reply = await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body: text });
    const said = await reply.text();
    const lost = reply.headers.get('x-weir-dropped') ?? '';
    const isRefused = reply.status === 400 && (said.includes(member) || said.includes('web search'));
    const isLeftOut = reply.status === 200 && lost.split(', ').some((name) => name.startsWith(member)) && !said.includes(PLANTED);
    if (isRefused || isLeftOut) return undefined;
    return `${record.id} ${path} ${member}: ${reply.status} ${said.slice(0, 200)}`;
  }

  it.each(Object.keys(CHATS) as Dialect[])('reach no provider: %s', async (dialect) => {
    // What is held for may hold anything of its kind, and names no model.
    const members = [...listChoosing(dialect)].filter(([, { use }]) => use !== 'priced').map(([name]) => name);
    const cases = MODELS.flatMap((record) => members.map((member) => ({ record, member })));
    const before = upstream.requests.length;
    const wrong: string[] = [];
    let next = 0;
    const run = async (): Promise<void> => {
      for (let one = cases[next++]; one !== undefined; one = cases[next++]) {
        const fault = await plant(one.record, dialect, one.member);
        if (fault !== undefined) wrong.push(fault);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, run));
    expect(wrong).toEqual([]);
    expect(upstream.requests.slice(before).filter(({ bodyText }) => bodyText.includes(PLANTED))).toEqual([]);
    expect(cases.length).toBeGreaterThan(500);
  });
});
