import { fail, say } from '../../upstream/replies';
import type { Kind } from '../request';
import { ask, nameOf, prompt, streamed, WAYS } from './bodies';

/** How long until a response that was kept is found. */
const KEPT_MS = 150;

const idempotency = WAYS.slice(0, 6).map((way): Kind => ({
  id: `idempotency:${nameOf(way)}`,
  make: ({ mark, count }) => {
    const [shape, model] = way;
    const headers = { 'idempotency-key': `key-${mark}` };
    const more = count % 2 === 0 ? {} : streamed(shape);
    return [
      ask(shape, model, mark, { headers, more }),
      ask(shape, model, mark, { headers, more, afterMs: KEPT_MS }),
      ask(shape, model, mark, { headers, more: { ...more, weir: { trace_id: 'another' } } }),
      ask(shape, model, mark, { headers, more, text: 'Something else' }),
      ask(shape, model, mark, { headers: { ...headers }, more, key: 'plain' }),
    ];
  },
}));

const cache = WAYS.slice(0, 6).map((way): Kind => ({
  id: `cache:${nameOf(way)}`,
  make: ({ mark, count }) => {
    const [shape, model] = way;
    const headers = { 'x-weir-cache': 'on' };
    const more = count % 2 === 0 ? {} : streamed(shape);
    return [
      ask(shape, model, mark, { headers, more }),
      ask(shape, model, mark, { headers, more, afterMs: KEPT_MS }),
      ask(shape, model, mark, { headers: { 'x-weir-cache': '60' }, more, key: 'plain' }),
      ask(shape, model, mark, { more }),
      ask(shape, model, mark, { more: { ...more, weir: { cache: 600 } } }),
    ];
  },
}));

const others: readonly Kind[] = [
  {
    id: 'idempotency:failures',
    make: ({ mark }) => {
      const headers = { 'idempotency-key': `key-${mark}` };
      return [
        ask('chat', 'openai/gpt-4o-mini', mark, { headers, replies: [fail(500, { error: { message: 'broke' } })] }),
        ask('chat', 'openai/gpt-4o-mini', mark, { headers, replies: [fail(400, { error: { message: 'bad' } })], afterMs: KEPT_MS }),
        ask('chat', 'openai/gpt-4o-mini', mark, { headers, replies: [say()], afterMs: KEPT_MS }),
        ask('chat', 'openai/gpt-4o-mini', mark, { headers: { 'idempotency-key': 'k'.repeat(300) } }),
        ask('chat', 'openai/gpt-4o-mini', mark, { headers: { 'idempotency-key': '' } }),
      ];
    },
  },
  {
    id: 'idempotency:zero-retention',
    make: ({ mark }) => {
      const headers = { 'idempotency-key': `key-${mark}`, 'x-weir-cache': 'on' };
      return [
        ask('chat', 'openai/gpt-4o-mini', mark, { key: 'zero', headers }),
        ask('chat', 'openai/gpt-4o-mini', mark, { key: 'zero', headers }),
      ];
    },
  },
  {
    id: 'idempotency:embeddings',
    make: ({ mark }) => {
      const one = { key: 'four', path: '/v1/embeddings', body: { model: 'openai/text-embedding-3-small', input: prompt(mark) } } as const;
      const headers = { 'idempotency-key': `key-${mark}` };
      return [
        { ...one, headers },
        { ...one, headers, afterMs: KEPT_MS },
        { ...one, headers: { 'x-weir-cache': 'on' } },
        { ...one, headers: { 'x-weir-cache': 'on' }, afterMs: KEPT_MS },
      ];
    },
  },
];

export const REPLAY_KINDS: readonly Kind[] = [...idempotency, ...cache, ...others];
