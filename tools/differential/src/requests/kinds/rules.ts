import type { KeyName } from '../../gateways/world';
import { fail, frames, hangUp, say } from '../../upstream/replies';
import type { ReplyMaker } from '../../upstream/reply';
import type { Kind, Request } from '../request';
import { ask, MODELS, nameOf, streamed, WAYS } from './bodies';

const PRIVATE = 'Write to anna.smith@example.com about Falcon, card 4111 1111 1111 1111.';
const SAID = { text: 'Ask bob@example.org or [EMAIL_1] about the Falcon, then go on with other things.' };

/** What is private in the request, in the reply, and in neither; whole and streamed. */
const guarded = (['flagging', 'masking', 'blocking'] as const).flatMap((key: KeyName) =>
  WAYS.slice(0, 7).map((way): Kind => ({
    id: `guardrail:${key}:${nameOf(way)}`,
    make: ({ mark }) => {
      const [shape, model] = way;
      return [
        ask(shape, model, mark, { key, text: PRIVATE, replies: [say(SAID)] }),
        ask(shape, model, mark, { key, replies: [say(SAID)] }),
        ask(shape, model, mark, { key, text: PRIVATE, more: streamed(shape), replies: [say(SAID)] }),
        ask(shape, model, mark, { key, more: streamed(shape), replies: [say(SAID, { split: 'threes' })] }),
        ask(shape, model, mark, { key, more: streamed(shape), replies: [say()] }),
      ];
    },
  })),
);

const DATA_POLICIES = ['zero-retention', 'residency=eu', 'residency=us', 'no-training', 'zero-retention, residency=eu', 'nonsense'];
const dataRules: Kind = {
  id: 'data-rules',
  weight: 2,
  make: ({ mark, count }) =>
    ['openai/gpt-4o-mini', 'mistral/mistral-small-latest', 'mistral-eu/mistral/mistral-large-latest', 'anthropic/claude-haiku-4-5'].map(
      (model, at) =>
        ask('chat', model, mark, {
          headers: { 'x-weir-data-policy': DATA_POLICIES[(count + at) % DATA_POLICIES.length] ?? '' },
          replies: [say()],
        }),
    ),
};

const ERROR = { error: { message: 'Something went wrong', type: 'server_error', code: 'upstream_broke' } };
const BEGUN =
  'data: {"id":"chatcmpl-x","object":"chat.completion.chunk","created":1700000000,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}';
/** How a first attempt may fail before anything has reached the caller. */
const FAILURES: Readonly<Record<string, ReplyMaker>> = {
  500: fail(500, ERROR),
  503: fail(503, 'upstream connect error', { 'content-type': 'text/plain' }),
  529: fail(529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
  429: fail(429, { error: { message: 'Slow down', type: 'rate_limit' } }, { 'retry-after': '1' }),
  401: fail(401, { error: { message: 'Incorrect API key provided: sk-abc', type: 'invalid_request_error' } }),
  400: fail(400, { error: { message: 'No such field', type: 'invalid_request_error', param: 'messages', code: 'bad' } }),
  'hang-up': hangUp(),
  unreadable: () => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    steps: [{ do: 'write', bytes: Buffer.from('{"id": "chatcmpl') }],
  }),
  'cut-first': frames([], { cutAfter: 0 }),
  'cut-second': frames([BEGUN], { cutAfter: 1 }),
};

const MODELS_OF_POLICY: Readonly<Record<string, string>> = {
  chain: 'xai/grok-4.3',
  again: 'together/alibaba/qwen3.5-9b',
  mixed: 'fireworks/deepseek/deepseek-v3',
};

/** The first place fails and the next one serves; the first one then serves twice, so that it is not left out later. */
const fallbacks = (['four', 'charged'] as const).flatMap((key) =>
  Object.entries(FAILURES).map(([name, failure]): Kind => ({
    id: `fallback:${key}:${name}`,
    make: ({ mark, count }) => {
      const policy = Object.keys(MODELS_OF_POLICY)[(count + name.length) % 3] ?? 'chain';
      const first = MODELS_OF_POLICY[policy] ?? '';
      const heal = (): Request => ask('chat', first, mark, { key, replies: [say()] });
      const isStream = name.startsWith('cut') || count % 2 === 1;
      const more = isStream ? streamed('chat') : {};
      return [ask('chat', `policy/${policy}`, mark, { key, more, replies: [failure, say()] }), heal(), heal()];
    },
  })),
);

const routes: readonly Kind[] = [
  {
    id: 'fallback:all-fail',
    make: ({ mark }) => [
      ask('chat', 'policy/mixed', mark, { replies: [fail(500, ERROR), fail(529, ERROR)] }),
      ...['fireworks/deepseek/deepseek-v3', 'anthropic/claude-haiku-4-5'].flatMap((model) => [
        ask('chat', model, mark),
        ask('chat', model, mark),
      ]),
    ],
  },
  {
    id: 'fallback:messages',
    make: ({ mark }) => [
      ask('messages', 'careful', mark, { more: { stream: true }, replies: [fail(500, ERROR), say()] }),
      ask('chat', 'fireworks/deepseek/deepseek-v3', mark),
      ask('chat', 'fireworks/deepseek/deepseek-v3', mark),
    ],
  },
  {
    id: 'policy:sticky',
    weight: 2,
    make: ({ mark, count }) => [
      ask('chat', 'policy/sticky', mark, { more: { weir: { trace_id: `trace-${count}` } } }),
      ask('messages', 'policy/sticky', mark, { more: { weir: { trace_id: `trace-${count + 1}` } } }),
      ask('responses', 'policy/sticky', mark, { more: { weir: { trace_id: `trace-${count + 2}` }, stream: true } }),
    ],
  },
  { id: 'policy:price', isIndependent: true, make: ({ mark }) => [ask('chat', 'policy/cheap', mark), ask('chat', 'policy/none', mark)] },
  {
    id: 'alias',
    isIndependent: true,
    make: ({ mark }) => [
      ask('chat', 'fast', mark),
      ask('messages', 'fast', mark, { more: { stream: true } }),
      ask('responses', 'careful', mark),
    ],
  },
  {
    id: 'own-keys',
    weight: 2,
    make: ({ mark, count }) => [
      ask('chat', MODELS.openai, mark, { key: 'own', more: count % 2 === 0 ? {} : streamed('chat') }),
      ask('messages', MODELS.anthropic, mark, { key: 'own', more: count % 2 === 0 ? { stream: true } : {} }),
      ask('chat', MODELS.openai, mark, { key: 'own', replies: [FAILURES['401'] ?? say(), say()] }),
      ask('chat', MODELS.anthropic, mark, { key: 'own', replies: [FAILURES['401'] ?? say()] }),
      ask('chat', MODELS.mistral, mark, { key: 'own' }),
    ],
  },
];

export const RULE_KINDS: readonly Kind[] = [...guarded, dataRules, ...fallbacks, ...routes];
