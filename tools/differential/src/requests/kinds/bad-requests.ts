import type { Kind, Request } from '../request';
import { ask, MODELS, prompt, SHAPES, type ShapeName } from './bodies';

const model = MODELS.openai;
const message = (mark: string): string => `"messages":[{"role":"user","content":"${prompt(mark)}"}]`;
const text =
  (body: (mark: string) => string | Buffer): ((mark: string) => Partial<Request>) =>
  (mark) => ({ body: body(mark) });
const nest = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** Bodies that are refused, or would be easily read in two ways. */
const BODIES: Readonly<Record<string, (mark: string) => Partial<Request>>> = {
  empty: text(() => ''),
  'no-json': text((mark) => `{"model":"${model}",${message(mark)}`),
  array: text(() => '[]'),
  null: text(() => 'null'),
  text: text((mark) => JSON.stringify(mark)),
  'trailing-comma': text((mark) => `{"model":"${model}",${message(mark)},}`),
  'single-quotes': text(() => "{'model':'x'}"),
  'two-values': text((mark) => `{"model":"${model}",${message(mark)}}{}`),
  'doubled-model': text((mark) => `{"model":"${model}","model":"openai/gpt-4o",${message(mark)}}`),
  'doubled-escaped': text((mark) => `{"model":"${model}","mod\\u0065l":"openai/gpt-4o",${message(mark)}}`),
  'doubled-inner': text((mark) => `{"model":"${model}",${message(mark)},"weir":{"trace_id":"a","trace_id":"b"}}`),
  'doubled-far': text((mark) => `{"model":"${model}",${message(mark)},"x":{"a":1,"b":{"a":2,"a":3}}}`),
  'too-deep': text((mark) => `{"model":"${model}",${message(mark)},"x":${nest(300)}}`),
  deep: text((mark) => `{"model":"${model}",${message(mark)},"x":${nest(40)}}`),
  'long-name': text((mark) => `{"model":"${model}",${message(mark)},"${'n'.repeat(70_000)}":1}`),
  'many-members': text(
    (mark) => `{"model":"${model}",${message(mark)},"x":{${Array.from({ length: 3000 }, (_, at) => `"m${at}":${at}`).join()}}}`,
  ),
  proto: text((mark) => `{"model":"${model}",${message(mark)},"__proto__":{"stream":true},"constructor":1}`),
  'byte-order-mark': text((mark) => `\ufeff{"model":"${model}",${message(mark)}}`),
  'no-utf8': text((mark) =>
    Buffer.concat([Buffer.from(`{"model":"${model}","user":"`), Buffer.from([0xff, 0xfe]), Buffer.from(`",${message(mark)}}`)]),
  ),
  'control-character': text((mark) => `{"model":"${model}","user":"a\u0001b",${message(mark)}}`),
  'utf-16': text((mark) => Buffer.from(`{"model":"${model}",${message(mark)}}`, 'utf16le')),
  'too-large': text((mark) => `{"model":"${model}",${message(mark)},"x":"${'x'.repeat(2_200_000)}"}`),
  'no-model': text((mark) => `{${message(mark)}}`),
  'model-number': text((mark) => `{"model":7,${message(mark)}}`),
  'model-unknown': text((mark) => `{"model":"openai/gpt-4o-minni",${message(mark)}}`),
  'model-bare': text((mark) => `{"model":"claude-haiku-4-5",${message(mark)}}`),
  'model-embedding': text((mark) => `{"model":"openai/text-embedding-3-small",${message(mark)}}`),
  'model-without-provider': text((mark) => `{"model":"perplexity/sonar",${message(mark)}}`),
  'model-long': text((mark) => `{"model":"${'m'.repeat(3000)}",${message(mark)}}`),
  'model-region': text((mark) => `{"model":"${model}@eu",${message(mark)}}`),
  'model-1m': text((mark) => `{"model":"anthropic/claude-haiku-4-5[1m]",${message(mark)}}`),
  'n-text': text((mark) => `{"model":"${model}",${message(mark)},"n":"200"}`),
  'n-zero': text((mark) => `{"model":"${model}",${message(mark)},"n":0}`),
  'n-null': text((mark) => `{"model":"${model}",${message(mark)},"n":null}`),
  'max-negative': text((mark) => `{"model":"${model}",${message(mark)},"max_tokens":-1}`),
  'max-fraction': text((mark) => `{"model":"${model}",${message(mark)},"max_tokens":1.5}`),
  'max-huge': text((mark) => `{"model":"${model}",${message(mark)},"max_tokens":99999999999999999999}`),
  'stream-text': text((mark) => `{"model":"${model}",${message(mark)},"stream":"true"}`),
  'tools-object': text((mark) => `{"model":"${model}",${message(mark)},"tools":{}}`),
  'options-text': text((mark) => `{"model":"${model}",${message(mark)},"stream":true,"stream_options":"yes"}`),
  'unknown-fields': text((mark) => `{"model":"${model}",${message(mark)},"vendor_x":{"a":[1]},"zzz":null}`),
  'messages-missing': text(() => `{"model":"${model}"}`),
  'messages-text': text((mark) => `{"model":"${model}","messages":"${mark}"}`),
  'no-type': (mark) => ({ body: `{"model":"${model}",${message(mark)}}`, headers: { 'content-type': 'text/plain' } }),
  'form-type': (mark) => ({ body: `model=${mark}`, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  'type-charset': (mark) => ({
    body: `{"model":"${model}",${message(mark)}}`,
    headers: { 'content-type': 'Application/JSON; charset=UTF-8' },
  }),
  'type-latin': (mark) => ({
    body: `{"model":"${model}",${message(mark)}}`,
    headers: { 'content-type': 'application/json; charset=iso-8859-1' },
  }),
  compressed: (mark) => ({ body: `{"model":"${model}",${message(mark)}}`, headers: { 'content-encoding': 'gzip' } }),
  get: () => ({ method: 'GET' }),
  put: (mark) => ({ method: 'PUT', body: `{"model":"${model}",${message(mark)}}` }),
  'other-path': (mark) => ({ path: '/v1/chat/completion', body: `{${message(mark)}}` }),
  'slash-path': (mark) => ({ path: '/v1/chat/completions/', body: `{"model":"${model}",${message(mark)}}` }),
  'query-path': (mark) => ({ path: '/v1/chat/completions?beta=true&x=%20', body: `{"model":"${model}",${message(mark)}}` }),
};

const bodyKinds = Object.entries(BODIES).map(([name, change]): Kind => ({
  id: `bad:${name}`,
  isIndependent: true,
  weight: 0.7,
  make: ({ mark }) => [{ key: 'four', method: 'POST', path: SHAPES.chat.path, ...change(mark) }],
}));

/** The same mistakes in the other dialects, whose errors have another shape. */
const others = (['messages', 'responses', 'legacy'] as const).flatMap((shape: ShapeName) =>
  Object.entries({
    'no-json': { body: '{"model":' },
    'no-type': { body: '{}', headers: { 'content-type': 'text/plain' } },
    'no-model': { body: '{"max_tokens":5}' },
    deep: { body: `{"model":"${MODELS.anthropic}","x":${nest(300)}}` },
    get: { method: 'GET' },
  } satisfies Record<string, Partial<Request>>).map(([name, change]): Kind => ({
    id: `bad:${shape}:${name}`,
    isIndependent: true,
    weight: 0.5,
    make: () => [{ key: 'four', path: SHAPES[shape].path, ...change }],
  })),
);

const strict: Kind = {
  id: 'strict',
  make: ({ mark }) => {
    const headers = { 'x-weir-strict': 'true' };
    const lost = { logit_bias: { 50256: -100 }, seed: 3, presence_penalty: 0.5 };
    return [
      ask('chat', MODELS.anthropic, mark, { headers, more: lost }),
      ask('chat', MODELS.anthropic, mark, { more: lost }),
      ask('chat', MODELS.openai, mark, { headers, more: lost }),
      ask('messages', MODELS.openai, mark, { headers, more: { top_k: 5, metadata: { user_id: 'u' } } }),
      ask('messages', MODELS.openai, mark, { more: { top_k: 5, metadata: { user_id: 'u' }, stop_sequences: ['END'] } }),
      ask('responses', MODELS.mistral, mark, { more: { store: true, previous_response_id: 'resp_1' } }),
      ask('legacy', MODELS.openai, mark, { more: { suffix: 'x' } }),
    ];
  },
};

export const BAD_REQUEST_KINDS: readonly Kind[] = [...bodyKinds, ...others, strict];
