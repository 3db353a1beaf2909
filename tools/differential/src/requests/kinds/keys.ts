import type { KeyName } from '../../gateways/world';
import { say } from '../../upstream/replies';
import type { Kind, Request } from '../request';
import { ask, MODELS, nameOf, prompt, streamed, WAYS } from './bodies';

/** Keys that are refused, or refused some things. */
const REFUSED: readonly Request['key'][] = [
  'poor',
  'expired',
  'revoked',
  'reader',
  'idle',
  'broke',
  null,
  { literal: 'no-such-key-0123456789' },
];

const refusedKinds = REFUSED.map((key): Kind => {
  const name = typeof key === 'string' ? key : key === null ? 'none' : 'unknown';
  return {
    id: `key:${name}`,
    weight: 2,
    make: ({ mark, count }) => [
      ask(count % 2 === 0 ? 'chat' : 'messages', MODELS.openai, mark, { key, more: count % 3 === 0 ? { stream: true } : {} }),
      { key, path: '/v1/embeddings', body: { model: 'openai/text-embedding-3-small', input: prompt(mark) } },
      { key, path: '/v1/models/openai/gpt-4o-mini' },
    ],
  };
});

const credentials: readonly Kind[] = [
  {
    id: 'key:in-another-header',
    isIndependent: true,
    make: ({ mark }) => [
      ask('messages', MODELS.anthropic, mark, {
        key: null,
        headers: { 'x-api-key': 'no-such-key-0123456789', 'anthropic-version': '2023-06-01' },
      }),
      ask('messages', MODELS.anthropic, mark, {
        headers: { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'context-1m-2025-08-07' },
      }),
      ask('chat', MODELS.openai, mark, { key: null, headers: { authorization: 'Basic abc' } }),
    ],
  },
];

/** What an access list lets in, and what it does not. */
const listed: Kind = {
  id: 'key:listed',
  make: ({ mark }) =>
    ['openai/gpt-4o-mini', 'openai/gpt-4o', 'fast', 'policy/chain', 'xai/grok-4.3', 'gpt-4o-mini', 'no/such'].map((model) =>
      ask('chat', model, mark, { key: 'listed', replies: [say()] }),
    ),
};

const some = (key: KeyName, more: object = {}): Kind => ({
  id: `key:${key}`,
  weight: 2,
  make: ({ mark, count }) => {
    const way = WAYS[count % WAYS.length] ?? WAYS[0];
    if (way === undefined) return [];
    const [shape, model] = way;
    return [ask(shape, model, mark, { key, more: { ...more, ...(count % 2 === 0 ? streamed(shape) : {}) }, replies: [say()] })];
  },
});

/** Responses are shortened to what is left of little money, and refused at last. */
const clamped: Kind = {
  id: 'key:clamped',
  most: 1,
  make: ({ mark }) =>
    [30_000, 100_000, 500, 16, 10].flatMap((most) =>
      (['chat', 'messages', 'responses'] as const).map((shape) =>
        ask(shape, shape === 'messages' ? MODELS.anthropic : MODELS.openai, mark, {
          key: 'clamped',
          more: shape === 'responses' ? { max_output_tokens: most } : { max_tokens: most },
          replies: [say({ text: 'Short.', usage: { input: 11, output: 400, cached: 0 } })],
        }),
      ),
    ),
};

/** Four requests a minute: the others wait. */
const rated: Kind = {
  id: 'key:rated',
  most: 1,
  make: ({ mark }) => [
    ...WAYS.slice(0, 4).map(([shape, model]) => ask(shape, model, mark, { key: 'rated', replies: [say()] })),
    ...WAYS.map(([shape, model]) => ask(shape, model, mark, { key: 'rated', more: streamed(shape) })),
  ],
};

/** The free models of a day: 200 requests, and some more. */
const free: readonly Kind[] = [
  {
    id: 'key:free',
    make: ({ mark }) => [
      ask('chat', 'sandbox/chat-free', mark, { key: 'four' }),
      ask('messages', 'sandbox/chat-free', mark, { key: 'four', more: { stream: true } }),
      ask('chat', 'sandbox/chat-free', mark, { key: 'broke' }),
    ],
  },
  {
    id: 'free-day',
    most: 1,
    make: ({ mark }) => [
      ...Array.from({ length: 200 }, () => ask('chat', 'sandbox/chat-free', mark, { key: 'free', text: 'hi' })),
      ask('chat', 'sandbox/chat-free', mark, { key: 'free', text: 'hi' }),
      ask('messages', 'sandbox/chat-free', mark, { key: 'free', text: 'hi', more: { stream: true } }),
      ask('chat', 'sandbox/chat', mark, { key: 'free', text: 'hi' }),
    ],
  },
];

const waysOfPlain = WAYS.map((way): Kind => ({
  id: `key:plain:${nameOf(way)}`,
  isIndependent: true,
  make: ({ mark, count }) => [ask(way[0], way[1], mark, { key: 'plain', more: count % 2 === 0 ? streamed(way[0]) : {}, replies: [say()] })],
}));

export const KEY_KINDS: readonly Kind[] = [
  ...refusedKinds,
  ...credentials,
  listed,
  some('zero'),
  some('resident'),
  some('own'),
  clamped,
  rated,
  ...free,
  ...waysOfPlain,
];
