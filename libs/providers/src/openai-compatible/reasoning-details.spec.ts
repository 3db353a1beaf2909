import { collectReply, createLossReport, type ChatTurn, type ReasoningBlock } from '@weir/canonical';
import { buildRequest, buildTarget } from '../__fixtures__/build-target';
import { checkGrammar } from '../__fixtures__/check-grammar';
import { compatibleProvider, type CompatibleProvider } from './rules/compatible-provider.schema';
import { createCompatibleProvider } from './create-compatible-provider';
import entries from './rules/compatible-providers.json';
import type { ChatCodec } from '../provider/provider';

const target = buildTarget('vendor/model', { supportsReasoning: true });
const entry = entries.find(({ id }) => id === 'openrouter');

function openCodec(more: Partial<CompatibleProvider> = {}): ChatCodec {
  const access = {
    apiKey: 'k',
    baseUrl: 'http://upstream.test',
    transport: () => Promise.reject(new Error('nothing is sent')),
    hasRegions: false,
  };
  const { codec } = createCompatibleProvider(compatibleProvider.parse({ ...entry, ...more }), access);
  if (codec === null) throw new Error('compatible providers have a codec');
  return codec;
}

/** What goes back upstream of an answer that was decoded. */
function sendBack(codec: ChatCodec, content: ChatTurn['content']): { messages: Record<string, unknown>[]; dropped: string[] } {
  const losses = createLossReport();
  const request = buildRequest({
    turns: [
      { role: 'user', content: [{ type: 'text', text: 'q' }] },
      { role: 'assistant', content },
    ],
  });
  const { messages } = JSON.parse(codec.encodeRequest(request, target, losses).body) as { messages: Record<string, unknown>[] };
  return { messages, dropped: [...losses.dropped] };
}

const DETAILS = [
  { type: 'reasoning.text', text: 'I think.', signature: 'c2ln', format: 'anthropic-claude-v1', index: 0 },
  { type: 'reasoning.encrypted', data: 'ZW5j', id: 'call_1', format: 'google-gemini-v1', index: 1 },
];

const reply = (message: object): string => JSON.stringify({ id: 'r', model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }] });
const stream = (...deltas: object[]): Buffer =>
  Buffer.from(
    [...deltas.map((delta) => ({ delta })), { delta: {}, finish_reason: 'stop' }]
      .map((choice) => `data: ${JSON.stringify({ id: 'r', model: 'm', choices: [{ index: 0, ...choice }] })}\n\n`)
      .join('') + 'data: [DONE]\n\n',
  );

describe('reasoning details', () => {
  it('go back as they came with a whole reply, instead of the plain words', () => {
    const codec = openCodec();
    const content =
      codec.decodeReply(reply({ content: 'A', reasoning: 'I think.', reasoning_details: DETAILS }), target).choices[0]?.content ?? [];
    const { messages, dropped } = sendBack(codec, content);

    expect(content[0]).toMatchObject({ type: 'reasoning', text: 'I think.', state: { family: 'openrouter' } });
    expect(messages[1]).toEqual({ role: 'assistant', content: 'A', reasoning_details: DETAILS });
    expect(dropped).toEqual([]);
  });

  it('are put together from the pieces of a stream', () => {
    const codec = openCodec();
    const [thought, encrypted] = DETAILS;
    const decoder = codec.createStreamDecoder(target);
    const events = [
      ...decoder.push(
        stream(
          { reasoning: 'I ', reasoning_details: [{ type: 'reasoning.text', text: 'I ', format: 'anthropic-claude-v1', index: 0 }] },
          { reasoning: 'think.', reasoning_details: [{ type: 'reasoning.text', text: 'think.', index: 0 }] },
          { reasoning_details: [{ type: 'reasoning.text', text: '', signature: thought?.signature, index: 0 }] },
          { reasoning_details: [encrypted] },
          { content: 'A' },
        ),
      ),
      ...decoder.end(),
    ];
    const { content = [] } = collectReply(events).choices[0] ?? {};

    expect(checkGrammar(events)).toEqual([]);
    expect(content.map(({ type }) => type)).toEqual(['reasoning', 'text']);
    expect(sendBack(codec, content).messages[1]).toEqual({ role: 'assistant', content: 'A', reasoning_details: DETAILS });
  });

  it('that come after the answer are kept in a thought without words', () => {
    const codec = openCodec();
    const decoder = codec.createStreamDecoder(target);
    const events = [...decoder.push(stream({ content: 'A' }, { reasoning_details: [DETAILS[1]] })), ...decoder.end()];
    const { content = [] } = collectReply(events).choices[0] ?? {};

    expect(checkGrammar(events)).toEqual([]);
    expect(content.map(({ type }) => type)).toEqual(['text', 'reasoning']);
    expect(sendBack(codec, content).messages[1]).toMatchObject({ content: 'A', reasoning_details: [DETAILS[1]] });
  });

  it('that hold text only are emitted as text', () => {
    const codec = openCodec();
    const reported = { content: 'A', reasoning_details: [{ type: 'reasoning.text', text: 'I think.' }] };
    const content = codec.decodeReply(reply(reported), target).choices[0]?.content ?? [];

    expect(content[0]).toEqual({ type: 'reasoning', text: 'I think.' });
    expect(sendBack(codec, content).messages[1]).toEqual({ role: 'assistant', content: 'A', reasoning: 'I think.' });
  });

  it('of a caller that kept them itself go on, and state of another family is dropped and reported', () => {
    const block = (family: string): ReasoningBlock => ({
      type: 'reasoning',
      text: 'I think.',
      state: { family, kind: 'signature', value: 'c2ln' },
    });
    const codec = openCodec();

    expect(sendBack(codec, [block('chat-completions')]).messages[1]).toMatchObject({
      reasoning_details: [{ type: 'reasoning.text', text: 'I think.', signature: 'c2ln' }],
    });
    expect(sendBack(codec, [block('anthropic')])).toMatchObject({
      messages: [{}, { reasoning: 'I think.' }],
      dropped: ['messages.reasoning'],
    });
  });

  it.each([{}, { reasoning: '' }, { reasoning_content: null }])('without words are not lost, of any provider: beside %j', (more) => {
    const codec = openCodec({ id: 'novita', hasReasoningDetails: false });
    const details = [DETAILS[1]];
    const whole = codec.decodeReply(reply({ content: 'A', ...more, reasoning_details: details }), target).choices[0]?.content ?? [];
    const decoder = codec.createStreamDecoder(target);
    const events = [...decoder.push(stream({ ...more, reasoning_details: details }, { content: 'A' })), ...decoder.end()];

    for (const content of [whole, collectReply(events).choices[0]?.content ?? []]) {
      expect(content).toContainEqual(
        expect.objectContaining({ type: 'reasoning', text: '', state: expect.objectContaining({ family: 'novita' }) as object }),
      );
      expect(sendBack(codec, content)).toMatchObject({ messages: [{}, { content: 'A', reasoning_details: details }], dropped: [] });
    }
  });

  it('that hold the words are read beside members that are empty', () => {
    const content = openCodec().decodeReply(reply({ content: 'A', reasoning: '', reasoning_details: DETAILS }), target).choices[0]?.content;
    expect(content?.[0]).toMatchObject({ type: 'reasoning', text: 'I think.' });
  });
});
