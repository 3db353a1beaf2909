import type { ChatDialect } from '@weir/contracts';
import fc from 'fast-check';

type Json = Record<string, unknown>;

const PNG = 'iVBORw0KGgo=';
const PDF = 'JVBERi0xLjc=';
const NAMES = ['get_weather', 'f', 'search-notes', 'x'.repeat(60)];

const words = fc.oneof(
  fc.constantFrom('hi', 'wörld "quoted"\n', '   ', 'data: [DONE]\n\n', '\u2028\t\\'),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const toolName = fc.constantFrom(...NAMES);
const schema = fc.constantFrom<Json>(
  { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false },
  { type: 'object', properties: {} },
  {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { b: { $ref: '#/$defs/b' } },
    $defs: { b: { type: ['string', 'null'] } },
  },
);
const argumentsText = fc.constantFrom('{"a":"b"}', '{}', '{ "n" : 1.0, "n":1e3 }', '{"deep":[[{"x":null}]]}');
const effort = fc.constantFrom('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max');
const media = fc.constantFrom('image', 'image-url', 'pdf', 'pdf-url', 'text-file') satisfies fc.Arbitrary<string>;

/** One thing that happens in a conversation, in no dialect. */
type Step =
  | { readonly kind: 'user'; readonly parts: readonly string[]; readonly media: readonly string[] }
  | { readonly kind: 'assistant'; readonly text: string }
  | { readonly kind: 'call'; readonly text: string; readonly calls: readonly { name: string; text: string; result: string }[] };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('user' as const),
    parts: fc.array(words, { minLength: 1, maxLength: 3 }),
    media: fc.array(media, { maxLength: 2 }),
  }),
  fc.record({ kind: fc.constant('assistant' as const), text: words }),
  fc.record({
    kind: fc.constant('call' as const),
    text: words,
    calls: fc.array(fc.record({ name: toolName, text: argumentsText, result: words }), { minLength: 1, maxLength: 3 }),
  }),
);

const wish = fc.record(
  {
    system: words,
    temperature: fc.constantFrom(0, 0.5, 1),
    topP: fc.constantFrom(0.1, 1),
    stop: fc.array(fc.constantFrom('END', '\n', '###'), { minLength: 1, maxLength: 4 }),
    tools: fc.uniqueArray(fc.record({ name: toolName, schema }), { maxLength: 3, selector: ({ name }) => name }),
    choice: fc.constantFrom('auto', 'none', 'required', 'named'),
    isParallel: fc.boolean(),
    format: fc.constantFrom('json', 'schema'),
    effort,
    stream: fc.boolean(),
    user: fc.constantFrom('u1', 'ünser'),
  },
  { requiredKeys: [] },
);

type Wish = typeof wish extends fc.Arbitrary<infer Value> ? Value : never;
type Plan = { readonly steps: readonly Step[]; readonly wish: Wish };

const plan: fc.Arbitrary<Plan> = fc.record({
  steps: fc
    .array(step, { maxLength: 5 })
    .map((steps): Step[] => [{ kind: 'user', parts: ['begin'], media: [] }, ...steps, { kind: 'user', parts: ['go on'], media: [] }]),
  wish,
});

const WRITERS: Readonly<Record<ChatDialect, (plan: Plan) => Json>> = {
  'chat-completions': writeChat,
  responses: writeResponses,
  messages: writeMessages,
};

/** Bodies that are valid in a dialect: every field as its documentation wants it, together as no one would think of. */
export function arbitraryRequest(dialect: ChatDialect): fc.Arbitrary<Json> {
  return plan.map((made) => JSON.parse(JSON.stringify(WRITERS[dialect](made))) as Json);
}

function callId(step: number, index: number): string {
  return `call_${step}_${index}`;
}

function writeChat({ steps, wish: asked }: Plan): Json {
  const messages = steps.flatMap((one, at): unknown[] => {
    if (one.kind === 'user') {
      return [{ role: 'user', content: [...one.parts.map((text) => ({ type: 'text', text })), ...one.media.map(chatMedia)] }];
    }
    if (one.kind === 'assistant') return [{ role: 'assistant', content: one.text }];
    const calls = one.calls.map((call, index) => ({
      id: callId(at, index),
      type: 'function',
      function: { name: call.name, arguments: call.text },
    }));
    const results = one.calls.map((call, index) => ({ role: 'tool', tool_call_id: callId(at, index), content: call.result }));
    return [{ role: 'assistant', content: one.text, tool_calls: calls }, ...results];
  });
  const [first] = asked.tools ?? [];
  return {
    model: 'm',
    messages: [...(asked.system === undefined ? [] : [{ role: 'system', content: asked.system }]), ...messages],
    temperature: asked.temperature,
    top_p: asked.topP,
    stop: asked.stop,
    tools: asked.tools?.map(({ name, schema: parameters }) => ({ type: 'function', function: { name, parameters } })),
    tool_choice: asked.choice === 'named' ? first && { type: 'function', function: { name: first.name } } : first && asked.choice,
    parallel_tool_calls: first && asked.isParallel,
    response_format:
      asked.format === 'schema'
        ? { type: 'json_schema', json_schema: { name: 'n', schema: SHAPE } }
        : asked.format && { type: 'json_object' },
    reasoning_effort: asked.effort,
    stream: asked.stream,
    user: asked.user,
  };
}

const SHAPE = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };

function chatMedia(kind: string): unknown {
  if (kind === 'image') return { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } };
  if (kind === 'image-url') return { type: 'image_url', image_url: { url: 'https://files.example/a.png', detail: 'low' } };
  if (kind === 'pdf') return { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` } };
  if (kind === 'pdf-url') return { type: 'input_file', filename: 'a.pdf', file_data: 'https://files.example/a.pdf' };
  return { type: 'file', file: { filename: 'a.txt', file_data: `data:text/plain;base64,${Buffer.from('inside').toString('base64')}` } };
}

function writeResponses({ steps, wish: asked }: Plan): Json {
  const input = steps.flatMap((one, at): unknown[] => {
    if (one.kind === 'user') {
      return [{ role: 'user', content: [...one.parts.map((text) => ({ type: 'input_text', text })), ...one.media.map(responsesMedia)] }];
    }
    if (one.kind === 'assistant')
      return [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: one.text, annotations: [] }] }];
    const calls = one.calls.map((call, index) => ({
      type: 'function_call',
      call_id: callId(at, index),
      name: call.name,
      arguments: call.text,
    }));
    const results = one.calls.map((call, index) => ({ type: 'function_call_output', call_id: callId(at, index), output: call.result }));
    return [...calls, ...results];
  });
  const [first] = asked.tools ?? [];
  return {
    model: 'm',
    input,
    instructions: asked.system,
    temperature: asked.temperature,
    top_p: asked.topP,
    tools: asked.tools?.map(({ name, schema: parameters }) => ({ type: 'function', name, parameters, strict: false })),
    tool_choice: asked.choice === 'named' ? first && { type: 'function', name: first.name } : first && asked.choice,
    parallel_tool_calls: first && asked.isParallel,
    text: asked.format && {
      format: asked.format === 'schema' ? { type: 'json_schema', name: 'n', schema: SHAPE } : { type: 'json_object' },
    },
    reasoning: asked.effort && { effort: asked.effort },
    stream: asked.stream,
    user: asked.user,
  };
}

function responsesMedia(kind: string): unknown {
  if (kind === 'image') return { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' };
  if (kind === 'image-url') return { type: 'input_image', image_url: 'https://files.example/a.png' };
  if (kind === 'pdf') return { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` };
  if (kind === 'pdf-url') return { type: 'input_file', file_url: 'https://files.example/a.pdf' };
  return { type: 'input_file', filename: 'a.txt', file_data: `data:text/plain;base64,${Buffer.from('inside').toString('base64')}` };
}

function writeMessages({ steps, wish: asked }: Plan): Json {
  const messages = steps.flatMap((one, at): unknown[] => {
    if (one.kind === 'user') {
      return [{ role: 'user', content: [...one.parts.map((text) => ({ type: 'text', text })), ...one.media.map(messagesMedia)] }];
    }
    if (one.kind === 'assistant') return [{ role: 'assistant', content: [{ type: 'text', text: one.text }] }];
    const calls = one.calls.map((call, index) => ({
      type: 'tool_use',
      id: callId(at, index),
      name: call.name,
      input: JSON.parse(call.text) as unknown,
    }));
    const results = one.calls.map((call, index) => ({ type: 'tool_result', tool_use_id: callId(at, index), content: call.result }));
    return [
      { role: 'assistant', content: calls },
      { role: 'user', content: results },
    ];
  });
  const [first] = asked.tools ?? [];
  const choices: Json = {
    auto: { type: 'auto' },
    none: { type: 'none' },
    required: { type: 'any' },
    named: first && { type: 'tool', name: first.name },
  };
  return {
    model: 'm',
    max_tokens: 100,
    messages,
    system: asked.system,
    temperature: asked.temperature,
    top_p: asked.topP,
    stop_sequences: asked.stop,
    tools: asked.tools?.map(({ name, schema: input_schema }) => ({ name, input_schema })),
    tool_choice: first && asked.choice && choices[asked.choice],
    output_config: asked.format === 'schema' ? { format: { type: 'json_schema', schema: SHAPE } } : undefined,
    thinking: asked.effort === 'none' ? { type: 'disabled' } : asked.effort && { type: 'adaptive' },
    stream: asked.stream,
    metadata: asked.user === undefined ? undefined : { user_id: asked.user },
  };
}

function messagesMedia(kind: string): unknown {
  if (kind === 'image') return { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } };
  if (kind === 'image-url') return { type: 'image', source: { type: 'url', url: 'https://files.example/a.png' } };
  if (kind === 'pdf') return { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: PDF } };
  if (kind === 'pdf-url') return { type: 'document', source: { type: 'url', url: 'https://files.example/a.pdf' } };
  return {
    type: 'document',
    title: 'a.txt',
    source: { type: 'text', media_type: 'text/plain', data: 'inside' },
    citations: { enabled: true },
  };
}
