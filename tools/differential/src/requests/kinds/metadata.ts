import type { Kind } from '../request';
import { ask, MODELS, nameOf, streamed, WAYS } from './bodies';

const METADATA: Readonly<Record<string, object>> = {
  all: { trace_id: 'trace-1', user_id: 'user-1', tags: ['a', 'b'], extra: { team: 'search', stage: 'live' } },
  unicode: { trace_id: 'trace é', user_id: '漢字 🌅', extra: { 'name with space': 'x'.repeat(100) } },
  wrong: { trace_id: 7, tags: 'a' },
  unknown: { nothing: true },
  cached: { auto_cache: true },
  'cached-long': { auto_cache: '1h' },
  policy: { data_policy: 'zero-retention' },
};

const weir = WAYS.slice(0, 6).flatMap((way) =>
  Object.entries(METADATA).map(([name, metadata]): Kind => ({
    id: `weir:${name}:${nameOf(way)}`,
    isIndependent: true,
    weight: 0.5,
    make: ({ mark, count }) => [ask(way[0], way[1], mark, { more: { weir: metadata, ...(count % 2 === 0 ? {} : streamed(way[0])) } })],
  })),
);

const HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  title: { 'x-title': 'My editor', 'http-referer': 'https://editor.example/' },
  weir: { 'x-weir-trace-id': 'trace-2', 'x-weir-user-id': 'user-2', 'x-weir-extra-team': 'ads', 'x-weir-tags': 'a,b' },
  debug: { 'x-weir-debug': 'overhead' },
  trace: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', tracestate: 'a=b' },
  sdk: {
    'user-agent': 'OpenAI/JS 6.0',
    'x-stainless-lang': 'js',
    'x-stainless-retry-count': '0',
    'openai-organization': 'org-x',
    'openai-beta': 'x=1',
  },
  encodings: { 'accept-encoding': 'gzip, br', accept: 'text/event-stream' },
  origin: { origin: 'https://app.example', 'sec-fetch-mode': 'cors' },
  expect: { expect: '100-continue' },
  id: { 'x-request-id': 'chosen-by-the-caller' },
};

const headers = Object.entries(HEADERS).map(([name, each]): Kind => ({
  id: `header:${name}`,
  isIndependent: true,
  make: ({ mark }) =>
    WAYS.slice(0, 5).map(([shape, model], at) => ask(shape, model, mark, { headers: each, more: at % 2 === 0 ? {} : streamed(shape) })),
}));

const users: Kind = {
  id: 'weir:users',
  isIndependent: true,
  make: ({ mark }) => [
    ask('chat', MODELS.openai, mark, { more: { user: 'end-user-1', metadata: { a: 'b' }, store: false } }),
    ask('messages', MODELS.anthropic, mark, { more: { metadata: { user_id: 'end-user-2' } } }),
    ask('responses', MODELS['openai-responses'], mark, { more: { user: 'end-user-3', safety_identifier: 's', prompt_cache_key: 'p' } }),
  ],
};

export const METADATA_KINDS: readonly Kind[] = [...weir, ...headers, users];
