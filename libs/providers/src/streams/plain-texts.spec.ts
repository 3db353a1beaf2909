import type { ChatEvent } from '@weir/canonical';
import fc from 'fast-check';
import { decodeInPieces, toSse, withoutChance } from '../__fixtures__/decode-in-pieces';
import { createStreamDecoder as decodeMessages } from '../native/anthropic/decode-stream';
import { createStreamDecoder as decodeResponses } from '../native/openai-responses/decode-stream';
import { createStreamDecoder as decodeChat } from '../openai-compatible/decode-stream';
import type { ChatStreamDecoder } from '../provider/provider';
import { PlainTexts } from './plain-texts';

const chat = (): ChatStreamDecoder =>
  decodeChat({ usage: { reasoning: 'within' }, pricedTiers: [], detailsFamily: 'x', fallbackModel: 'm', customTools: new Set() } as never);
const messages = (): ChatStreamDecoder => decodeMessages({ family: 'anthropic', fallbackModel: 'm', customTools: new Set() } as never);
const responses = (): ChatStreamDecoder => decodeResponses({ family: 'openai', fallbackModel: 'm', customTools: new Set() } as never);

const chunk = (delta: object, more: object = {}): object => ({ id: 'c', choices: [{ index: 0, delta, ...more }], usage: null });
const delta = (index: number, reported: object): object => ({ type: 'content_block_delta', index, delta: reported });
const said = (index: number, text: string, more: object = {}): object => ({
  type: 'response.output_text.delta',
  sequence_number: text.length,
  output_index: index,
  content_index: 0,
  delta: text,
  ...more,
});

const word = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('', '\n', '"', '\\', '\\n', '\ud83d', '\ude00', '\u2028', '\u0000', 'é', 'a rather long piece of text'),
);
const kinds: Record<
  string,
  { open: () => ChatStreamDecoder; frame: fc.Arbitrary<object>; first: readonly object[]; last: readonly object[] }
> = {
  'chat completions': {
    open: chat,
    first: [],
    frame: fc.oneof(
      { weight: 9, arbitrary: word.map((content) => chunk({ content })) },
      { weight: 4, arbitrary: word.map((reasoning_content) => chunk({ content: null, reasoning_content })) },
      { weight: 2, arbitrary: word.map((content) => ({ ...chunk({ content }), obfuscation: content })) },
      word.map((content) => chunk({ content, reasoning_content: content })),
      word.map((content) => chunk({ content, reasoning_details: [{ type: 'reasoning.text', text: content, signature: 's' }] })),
      word.map((content) => chunk({ content, annotations: [{ url_citation: { url: 'u', title: 't' } }] })),
      word.map((content) => chunk({ content }, { logprobs: { content: [{ token: content }] } })),
      word.map((content) => chunk({ content }, { index: 1 })),
      word.map((content) => chunk({ content: [{ text: content }] })),
      fc.constant(chunk({}, { finish_reason: 'stop' })),
    ),
    last: [chunk({}, { finish_reason: 'stop' })],
  },
  messages: {
    open: messages,
    first: [
      { type: 'message_start', message: { id: 'm', usage: { input_tokens: 1, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ],
    frame: fc.oneof(
      { weight: 9, arbitrary: word.map((text) => delta(0, { type: 'text_delta', text })) },
      { weight: 4, arbitrary: word.map((thinking) => delta(1, { type: 'thinking_delta', thinking })) },
      word.map((partial_json) => delta(2, { type: 'input_json_delta', partial_json })),
      fc.constantFrom(
        { type: 'ping' },
        { type: 'content_block_start', index: 1, content_block: { type: 'thinking', thinking: '' } },
        { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 't', name: 'f', input: {} } },
        { type: 'content_block_stop', index: 0 },
        { type: 'content_block_stop', index: 1 },
      ),
    ),
    last: [{ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }, { type: 'message_stop' }],
  },
  responses: {
    open: responses,
    first: [
      { type: 'response.created', response: { id: 'r' } },
      { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'i' } },
    ],
    frame: fc.oneof(
      { weight: 9, arbitrary: word.map((text) => said(0, text)) },
      { weight: 4, arbitrary: word.map((text) => said(0, text, { obfuscation: text })) },
      word.map((text) => said(0, text, { logprobs: [{ token: text }] })),
      word.map((text) => said(1, text)),
      word.map((text) => ({ ...said(1, text), type: 'response.reasoning_text.delta' })),
      fc.constant({ type: 'response.output_item.added', output_index: 1, item: { type: 'reasoning', id: 'j' } }),
    ),
    last: [{ type: 'response.completed', response: { id: 'r', usage: { input_tokens: 1, output_tokens: 2 } } }],
  },
};

describe('frames that add words and nothing else', () => {
  it.each(Object.entries(kinds))('are decoded to what each would be by itself: %s', (_, { open, first, frame, last }) => {
    const sizes = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 25 }), sizes, (frames, cuts) => {
        const body = toSse([...first, ...frames, ...last]);
        // Byte by byte, no frame comes in one piece.
        const plainly = withoutChance(decodeInPieces(open(), body, [1]));
        expect(withoutChance(decodeInPieces(open(), body))).toEqual(plainly);
        expect(withoutChance(decodeInPieces(open(), body, cuts))).toEqual(plainly);
      }),
      { numRuns: 150 },
    );
  });

  const event = (text: string): ChatEvent => ({ type: 'text-delta', choice: 0, block: 3, text });
  const frame = (text: string, more = ''): string => `data: {"content":"${text}"${more}}\n\n`;
  const take = (texts: PlainTexts, text: string): readonly [number, readonly ChatEvent[]] => {
    const events: ChatEvent[] = [];
    return [texts.take(text, 0, (added) => void events.push(added)), events];
  };
  const open = (): PlainTexts =>
    new PlainTexts({ words: { 'text-delta': 'content', 'reasoning-delta': 'thinking' }, varying: ['n'], more: ['kept'] });

  it('are read without their decoder, escapes and all', () => {
    const texts = open();
    texts.learn(event('a'), () => frame('a'));
    expect(take(texts, frame('b'))).toEqual([frame('b').length, [event('b')]]);
    expect(take(texts, frame('\\n\\u00e9'))).toEqual([frame('\\n\\u00e9').length, [event('\né')]]);
    expect(take(texts, frame('\\x'))).toEqual([-1, []]);
    expect(take(texts, frame(''))).toEqual([-1, []]);
  });

  it.each([
    ['whose example holds what its decoder keeps', frame('a', ',"kept":1')],
    ['whose example has an escape', frame('a', ',"b":"\\n"')],
    ['whose words stand elsewhere', 'data: {"text":"a","content":"b"}\n\n'],
    ['with the member twice', frame('a', ',"x":{"content":"a"}')],
    ['that came in pieces', undefined],
  ])('are left to their decoder %s', (_name, example) => {
    const texts = open();
    texts.learn(event('a'), () => example);
    expect(take(texts, example ?? frame('a'))).toEqual([-1, []]);
  });

  it('are left to their decoder once it took something else', () => {
    const texts = open();
    texts.learn(event('a'), () => frame('a'));
    texts.learn(undefined, () => undefined);
    expect(take(texts, frame('b'))).toEqual([-1, []]);
  });
});
