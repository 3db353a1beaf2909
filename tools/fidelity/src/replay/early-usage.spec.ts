import { createBuiltInCatalog } from '@weir/model-catalog';
import { makeAttempt, type ReplyScript } from '@weir/testing';
import { openReplayHarness, type ReplayHarness } from './replay-harness';

const catalog = createBuiltInCatalog();
const CHUNK = { id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm' };

function scriptStream(usage: object | undefined): ReplyScript {
  const chunks = [
    { choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello' } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ...(usage === undefined ? [] : [{ choices: [], usage }]),
  ];
  return { status: 200, stream: [...chunks.map((chunk) => `data: ${JSON.stringify({ ...CHUNK, ...chunk })}\n\n`), 'data: [DONE]\n\n'] };
}

describe('the beginning of a message from a provider that reports usage at the end', () => {
  let harness: ReplayHarness;
  beforeAll(async () => {
    harness = await openReplayHarness(catalog);
  });
  afterAll(() => harness.close());

  const ask = async (usage: object | undefined) => {
    const record = catalog.find('openai/gpt-4o-mini');
    if (record === undefined) throw new Error('the model is not in the catalogue');
    const content = 'one two three four five six seven eight nine ten';
    const body = { model: record.id, stream: true, max_tokens: 16, messages: [{ role: 'user', content }] };
    const attempt = makeAttempt(record, catalog);
    const { received, events } = await harness.replay({ dialect: 'messages', attempt, isStream: true, body }, scriptStream(usage));
    const inputOf = (event: string): number => {
      const data = new RegExp(`event: ${event}\ndata: (.*)`).exec(received.body)?.[1] ?? '{}';
      const parsed = JSON.parse(data) as { message?: { usage: object }; usage?: object };
      return ((parsed.message?.usage ?? parsed.usage) as { input_tokens: number }).input_tokens;
    };
    return { start: inputOf('message_start'), end: inputOf('message_delta'), event: events[0] };
  };

  it('holds the estimate of the prompt, and the end holds what the provider reported', async () => {
    const { start, end, event } = await ask({ prompt_tokens: 99, completion_tokens: 1, total_tokens: 100 });
    expect(start).toBeGreaterThanOrEqual(10);
    expect(start).toBeLessThanOrEqual(20);
    expect(end).toBe(99);
    expect(event).toMatchObject({ units: { in: 99, out: 1 }, unit_source: 'provider' });
  });

  it('holds the number that is charged when the provider never reports one', async () => {
    const { start, end, event } = await ask(undefined);
    expect([start, end]).toEqual([event?.units.in, event?.units.in]);
    expect(event).toMatchObject({ unit_source: 'estimate' });
  });
});
