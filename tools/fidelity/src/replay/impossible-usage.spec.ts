import type { ChatDialect } from '@weir/contracts';
import { createBuiltInCatalog } from '@weir/model-catalog';
import { makeAttempt, type ReplyScript } from '@weir/testing';
import { openReplayHarness, type ReplayHarness } from './replay-harness';

const catalog = createBuiltInCatalog();
const MODEL = 'openai/gpt-4o-mini';
const WORDS = 'Water finds level';
const REPORTED = { prompt_tokens: 9, completion_tokens: 1_000_000, total_tokens: 1_000_009 };

/** Three words, and what their provider reports of them. */
function scriptReply(isStream: boolean, usage: object | undefined): ReplyScript {
  const reported = usage === undefined ? {} : { usage };
  const common = { id: 'a', object: 'chat.completion', created: 1, model: 'm' };
  if (!isStream) {
    const choices = [{ index: 0, message: { role: 'assistant', content: WORDS }, finish_reason: 'stop' }];
    return { status: 200, body: JSON.stringify({ ...common, choices, ...reported }) };
  }
  const chunks = [
    ...WORDS.split(' ').map((word, index) => ({ choices: [{ index: 0, delta: { content: index === 0 ? word : ` ${word}` } }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ...(usage === undefined ? [] : [{ choices: [], usage }]),
  ];
  return { status: 200, stream: [...chunks.map((chunk) => `data: ${JSON.stringify({ ...common, ...chunk })}\n\n`), 'data: [DONE]\n\n'] };
}

function askFor(dialect: ChatDialect, isStream: boolean): Record<string, unknown> {
  const common = { model: MODEL, stream: isStream };
  const messages = [{ role: 'user', content: 'Say three words.' }];
  if (dialect === 'responses') return { ...common, input: 'Say three words.', max_output_tokens: 16 };
  if (dialect === 'messages') return { ...common, messages, max_tokens: 16 };
  return { ...common, messages, max_tokens: 16, ...(isStream ? { stream_options: { include_usage: true } } : {}) };
}

const WAYS = (['chat-completions', 'responses', 'messages'] as const).flatMap((dialect) => [
  [dialect, 'whole', false] as const,
  [dialect, 'streamed', true] as const,
]);

describe('a provider reports of three words', () => {
  let harness: ReplayHarness;
  beforeAll(async () => {
    harness = await openReplayHarness(catalog);
  });
  afterAll(() => harness.close());

  const replay = async (dialect: ChatDialect, isStream: boolean, usage: object | undefined) => {
    const record = catalog.find(MODEL);
    if (record === undefined) throw new Error('the model is not in the catalogue');
    const attempt = makeAttempt(record, catalog);
    const { received, events } = await harness.replay(
      { dialect, attempt, isStream, body: askFor(dialect, isStream) },
      scriptReply(isStream, usage),
    );
    const output = Number(/.*"(?:completion|output)_tokens":(\d+)/s.exec(received.body)?.[1]);
    const cost = Number(/.*"cost":([\d.e-]+)/s.exec(received.body)?.[1]);
    return { received, event: events[0], output, cost };
  };

  it.each(WAYS)('a usage of a million tokens under a maximum of 16, charged as 16: %s, %s', async (dialect, _, isStream) => {
    const { received, event, output, cost } = await replay(dialect, isStream, REPORTED);
    expect(event).toMatchObject({ units: { in: 9, out: 16 }, unit_source: 'estimate', doubted: { in: 9, out: 1_000_000 } });
    expect([output, Math.round(cost * 1e12)]).toEqual([16, Number(event?.cost_p)]);
    expect(received.body).toContain('"estimated":true');
    if (!isStream) expect(received.headers['x-weir-usage']).toBe('estimated');
  });

  it.each(WAYS)('no usage, charged as the four tokens that the words are: %s, %s', async (dialect, _, isStream) => {
    const { received, event, output, cost } = await replay(dialect, isStream, undefined);
    expect(event).toMatchObject({ units: { out: 4 }, unit_source: 'estimate' });
    expect(event?.units.in).toBeLessThan(20);
    expect([output, Math.round(cost * 1e12)]).toEqual([4, Number(event?.cost_p)]);
    expect(received.body).toContain('"estimated":true');
  });

  it.each(WAYS)('a plausible usage, charged as reported: %s, %s', async (dialect, _, isStream) => {
    const { received, event } = await replay(dialect, isStream, { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 });
    expect(event).toMatchObject({ units: { in: 9, out: 4 }, unit_source: 'provider' });
    expect(received.body).not.toContain('estimated');
    expect(received.headers).not.toHaveProperty('x-weir-usage');
  });
});
