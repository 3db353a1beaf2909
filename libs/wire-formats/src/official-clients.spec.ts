import { Anthropic } from '@anthropic-ai/sdk';
import { collectReply, type ChatEvent, type ChatReply, type ContentBlock } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { createSampleEvents } from '@weir/testing';
import { OpenAI } from 'openai';
import type { ReplyContext } from './dialect/wire-format';
import { wireFormats } from './wire-formats';

const SEEDS = Array.from({ length: 40 }, (_, index) => index * 7919);
const COST = '0.000000123400';

function contextOf(body: Record<string, unknown> = {}): ReplyContext {
  return { requestId: 'req_5', modelId: 'm', asked: { model: 'm', turns: [], stream: true }, body, nowMs: 1_790_000_000_000 };
}

function streamOf(dialect: ChatDialect, events: readonly ChatEvent[], body: Record<string, unknown> = {}): string {
  const encoder = wireFormats[dialect].createStreamEncoder(contextOf(body));
  return events.map((event) => encoder.encode(event, event.type === 'usage' ? { usage: event.usage, costUsd: COST } : undefined)).join('');
}

function answering(body: string, type: string) {
  return () => Promise.resolve(new Response(body, { status: 200, headers: { 'content-type': type, 'x-request-id': 'r' } }));
}

function openai(body: string, type = 'text/event-stream'): OpenAI {
  return new OpenAI({ apiKey: 'k', baseURL: 'http://gateway.test/v1', fetch: answering(body, type), maxRetries: 0 });
}

function anthropic(body: string, type = 'text/event-stream'): Anthropic {
  return new Anthropic({ apiKey: 'k', baseURL: 'http://gateway.test', fetch: answering(body, type), maxRetries: 0 });
}

function blocksOf<Type extends ContentBlock['type']>(reply: ChatReply, type: Type): Extract<ContentBlock, { type: Type }>[] {
  const content = reply.choices[0]?.content ?? [];
  return content.filter((block): block is Extract<ContentBlock, { type: Type }> => block.type === type);
}

/** Interleaved text can only arrive in the order of its pieces; whole blocks are compared. */
function sampleOf(seed: number): { events: ChatEvent[]; reply: ChatReply; text: string } {
  const events = createSampleEvents(seed, { interleaves: seed % 2 === 0 });
  const calm = collectReply(events);
  return { events, reply: calm, text: calm.choices[0]?.content.map((block) => (block.type === 'text' ? block.text : '')).join('') ?? '' };
}

const ASK = { model: 'm', messages: [{ role: 'user' as const, content: 'hi' }] };

describe('the openai package reads chat-completions', () => {
  it.each(SEEDS)('streams (seed %i)', async (seed) => {
    const { events, reply, text } = sampleOf(seed);
    const body = streamOf('chat-completions', events.map(asFunction), { stream_options: { include_usage: true } });
    const final = await openai(body)
      .chat.completions.stream({ ...ASK, stream_options: { include_usage: true } })
      .finalChatCompletion();
    const message = final.choices[0]?.message;
    if (seed % 2 === 1) expect(message?.content ?? '').toBe(text);
    expect(message?.tool_calls?.map((call) => call.id) ?? []).toEqual(blocksOf(reply, 'tool-call').map((call) => call.id));
    expect(final.usage).toMatchObject({ cost: Number(COST), completion_tokens: reply.usage?.output });
  });

  /** The package's own stream helper knows functions only. */
  function asFunction(event: ChatEvent): ChatEvent {
    return event.type === 'tool-call-start' ? { ...event, kind: 'function' } : event;
  }

  it('joins the arguments of functions as the model wrote them', async () => {
    const events = callEvents(['{"a":', ' 1.0}']);
    const final = await openai(streamOf('chat-completions', events)).chat.completions.stream(ASK).finalChatCompletion();
    const call = final.choices[0]?.message.tool_calls?.[0];
    expect(call?.type === 'function' ? call.function : undefined).toMatchObject({ name: 'look_up', arguments: '{"a": 1.0}' });
    expect(final.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('whole replies', async () => {
    const { reply, text } = sampleOf(7919);
    const body = encodeReply('chat-completions', reply);
    const final = await openai(body, 'application/json').chat.completions.create(ASK);
    expect(final.choices[0]?.message.content ?? '').toBe(text);
    expect(final.usage).toMatchObject({ cost: Number(COST) });
  });

  it('in-band errors as errors', async () => {
    const encoder = wireFormats['chat-completions'].createStreamEncoder(contextOf());
    const body = encoder.encode(startEvent()) + encoder.fail(new GatewayError('provider_stream_cut', 'cut off'));
    await expect(openai(body).chat.completions.stream(ASK).finalChatCompletion()).rejects.toThrow('cut off');
  });
});

describe('the openai package reads responses', () => {
  it.each(SEEDS)('streams (seed %i)', async (seed) => {
    const { events, reply, text } = sampleOf(seed);
    const runner = openai(streamOf('responses', events)).responses.stream({ model: 'm', input: 'hi' });
    const deltas: string[] = [];
    runner.on('response.output_text.delta', (event) => void deltas.push(event.delta));
    const final = await runner.finalResponse();
    expect(final.output_text).toBe(text);
    expect(deltas.join('')).toBe(text);
    const calls = final.output.flatMap((item) => (item.type === 'function_call' ? [item.arguments] : []));
    const expected = blocksOf(reply, 'tool-call').filter((call) => call.kind === 'function');
    expect(calls).toEqual(expected.map((call) => call.argumentsText));
    if (final.status !== 'failed') expect(final.usage).toMatchObject({ cost: Number(COST) });
  });

  it('whole replies', async () => {
    const { reply, text } = sampleOf(7919);
    const final = await openai(encodeReply('responses', reply), 'application/json').responses.create({ model: 'm', input: 'hi' });
    expect(final.output_text).toBe(text);
    expect(final.usage).toMatchObject({ cost: Number(COST) });
  });

  it('failures in the middle as a failed response', async () => {
    const encoder = wireFormats.responses.createStreamEncoder(contextOf());
    const body = encoder.encode(startEvent()) + encoder.fail(new GatewayError('provider_rate_limited', 'slow down'));
    const stream = await openai(body).responses.create({ model: 'm', input: 'hi', stream: true });
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect(types).toEqual(['response.created', 'response.in_progress', 'response.failed']);
  });
});

describe('the anthropic package reads messages', () => {
  const ask = { ...ASK, max_tokens: 9 };

  it.each(SEEDS)('streams, and ends with the same message as without a stream (seed %i)', async (seed) => {
    const { events, reply } = sampleOf(seed);
    const final = await anthropic(streamOf('messages', events)).messages.stream(ask).finalMessage();
    const whole = await anthropic(encodeReply('messages', reply), 'application/json').messages.create(ask);
    const cut = blocksOf(reply, 'tool-call').flatMap((call) => (isJson(call.argumentsText) || call.kind === 'custom' ? [] : [call.id]));
    expect(plain(final.content, cut)).toEqual(plain(whole.content, cut));
    expect(final.stop_reason).toBe(whole.stop_reason);
    expect(final.usage.input_tokens).toBe(whole.usage.input_tokens);
    expect(final.usage.output_tokens).toBe(whole.usage.output_tokens);
    expect(whole.usage).toMatchObject({ cost: Number(COST) });
  });

  /** Cut-off arguments are read piecemeal from a stream; citations may come in another order. */
  function plain(content: readonly unknown[], cut: readonly unknown[]): unknown[] {
    return (JSON.parse(JSON.stringify(content)) as Record<string, unknown>[]).map((block) => {
      const citations = Array.isArray(block['citations']) ? block['citations'].map((citation) => JSON.stringify(citation)).sort() : [];
      return { ...block, citations, ...(cut.includes(block['id']) ? { input: undefined } : {}) };
    });
  }

  function isJson(text: string): boolean {
    try {
      return text === '' || JSON.parse(text) !== undefined;
    } catch {
      return false;
    }
  }

  it('in-band errors as errors', async () => {
    const encoder = wireFormats.messages.createStreamEncoder(contextOf());
    const body = encoder.encode(startEvent()) + encoder.fail(new GatewayError('provider_overloaded', 'too busy'));
    await expect(anthropic(body).messages.stream(ask).finalMessage()).rejects.toThrow('too busy');
  });
});

function encodeReply(dialect: ChatDialect, reply: ChatReply): string {
  if (reply.usage === null) throw new Error('samples have usage');
  return wireFormats[dialect].encodeReply(reply, { usage: reply.usage, costUsd: COST }, contextOf());
}

function startEvent(): ChatEvent {
  return { type: 'start', id: '', model: 'm', createdAtSeconds: 1 };
}

function callEvents(pieces: readonly string[]): ChatEvent[] {
  const at = { choice: 0, block: 0 };
  return [
    startEvent(),
    { type: 'tool-call-start', ...at, id: 'call_1', name: 'look_up', kind: 'function' },
    ...pieces.map((argumentsText): ChatEvent => ({ type: 'tool-call-delta', ...at, argumentsText })),
    { type: 'tool-call-end', ...at },
    { type: 'finish', choice: 0, finish: { unified: 'tool-calls', upstream: null } },
    { type: 'end' },
  ];
}
