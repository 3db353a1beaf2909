import { say } from '../../upstream/replies';
import type { Content } from '../../upstream/reply';
import type { Kind } from '../request';
import { ask, nameOf, streamed, WAYS, type ShapeName } from './bodies';

const PARAMETERS = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const CALLED = { name: 'weather', arguments: '{"city": "Rome \\u00e9"}' };
const LONG = Array.from({ length: 120 }, (_, at) => `word${at}`).join(' ');

/** Tools as each dialect describes them. */
const TOOLS: Readonly<Record<ShapeName, object>> = {
  chat: {
    tools: [{ type: 'function', function: { name: 'weather', description: 'Of a city', parameters: PARAMETERS } }],
    tool_choice: 'auto',
  },
  responses: { tools: [{ type: 'function', name: 'weather', description: 'Of a city', parameters: PARAMETERS, strict: false }] },
  messages: { tools: [{ name: 'weather', description: 'Of a city', input_schema: PARAMETERS }], tool_choice: { type: 'auto' } },
  legacy: {},
};

type Row = { readonly content: Content; readonly more?: (shape: ShapeName) => object };

/** What a model may say, and what was asked for it. */
const CONTENTS: Readonly<Record<string, Row>> = {
  tools: { content: { tools: [CALLED] }, more: (shape) => TOOLS[shape] },
  'text-and-tools': { content: { text: 'I look it up.', tools: [CALLED, { ...CALLED, arguments: '{}' }] }, more: (shape) => TOOLS[shape] },
  reasoning: { content: { reasoning: 'First I think, then I say.', text: 'Said.', usage: { input: 20, output: 30, reasoning: 12 } } },
  refusal: { content: { refusal: 'I will not.' } },
  length: { content: { text: 'It ends in the mid', finish: 'length' } },
  filtered: { content: { text: 'Oh', finish: 'content_filter' } },
  empty: { content: { text: '' } },
  long: { content: { text: LONG, usage: { input: 11, output: 150, cached: 0 } } },
  'two-choices': {
    content: { text: 'Twice.', choices: 2, usage: { input: 11, output: 14 } },
    more: (shape) => (shape === 'chat' ? { n: 2 } : {}),
  },
  unknown: {
    content: {
      text: 'More than was asked.',
      extra: { service_tier: 'default', vendor_field: { a: [1, 2.5e3, null] }, big: '9'.repeat(30) },
    },
  },
  'no-usage': { content: { text: 'How much was that?', usage: 'none' } },
  'too-much': { content: { text: 'Much.', usage: { input: 1_000_000, output: 900_000 } } },
  'too-little': { content: { text: 'Less.', usage: { input: 2, output: 0, cached: 9 } } },
  cached: { content: { text: 'Known.', usage: { input: 30, output: 3, cached: 24 } } },
};

/** Every way, whole and streamed, with everything a model may say. */
export const CONTENT_KINDS: readonly Kind[] = WAYS.flatMap((way) =>
  Object.entries(CONTENTS).map(([name, { content, more }]): Kind => ({
    id: `content:${name}:${nameOf(way)}`,
    isIndependent: true,
    weight: 0.7,
    make: ({ mark, count }) => {
      const [shape, model] = way;
      const whole = ask(shape, model, mark, { more: more?.(shape) ?? {}, replies: [say(content)] });
      const stream = ask(shape, model, mark, { more: { ...more?.(shape), ...streamed(shape, count % 2 === 0) }, replies: [say(content)] });
      return [whole, stream];
    },
  })),
);
