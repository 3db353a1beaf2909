import type { Model } from '../models/filter-models';
import { buildChatBody, listUnsupported, writePrompt } from './build-chat-body';
import { beginReply, findOpenCalls, listMessages, type Reply, type Round } from './conversation';
import { EMPTY_DRAFT, type Draft } from './draft';
import { findDraftErrors } from './parameters';
import { readChatBody } from './read-chat-body';

const PLAIN = { id: 'a/plain', supports_reasoning: false, supports_tool_calling: false, supports_output_json_schema: false } as Model;
const CALL = { id: 'c1', name: 'get_weather', text: '{"city":"Graz"}', isCustom: false };

function build(draft: Partial<Draft>, rounds: readonly Round[] = [], known?: Model): Readonly<Record<string, unknown>> {
  return buildChatBody({ model: 'a/b', known, draft: { ...EMPTY_DRAFT, ...draft }, rounds });
}

function reply(change: Partial<Reply>): Reply {
  return { ...beginReply('a/b'), state: 'done', ...change };
}

function ask(text: string, answer?: Reply): Round {
  return { id: text, sent: [{ role: 'user', content: text }], ...(answer === undefined ? {} : { reply: answer }) };
}

describe('a body of the playground', () => {
  it('streams with its usage, and has what was set and no more', () => {
    expect(build({}, [ask('Hi')])).toEqual({
      model: 'a/b',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
      stream_options: { include_usage: true },
    });
    const parameters = { temperature: '0.5', top_p: ' ', max_tokens: '20', stop: 'END\n\nSTOP', seed: '-3', reasoning_effort: 'low' };
    expect(build({ system: 'Be brief.', parameters, more: '{"top_k": 40}' }, [ask('Hi')])).toMatchObject({
      messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user' }],
      temperature: 0.5,
      max_completion_tokens: 20,
      stop: ['END', 'STOP'],
      seed: -3,
      reasoning_effort: 'low',
      top_k: 40,
    });
  });

  it('wraps functions and schemas as the dialect has them', () => {
    const draft = { tools: '[{"name":"f","parameters":{}},{"type":"web_search"}]', toolChoice: 'required', format: 'json_schema' } as const;
    expect(build({ ...draft, schema: '{"type":"object"}' })).toMatchObject({
      tools: [{ type: 'function', function: { name: 'f', parameters: {} } }, { type: 'web_search' }],
      tool_choice: 'required',
      response_format: { type: 'json_schema', json_schema: { name: 'reply', strict: true, schema: { type: 'object' } } },
    });
  });

  it('keeps from a model what the catalogue says that it does not have, and says so', () => {
    const draft: Draft = {
      ...EMPTY_DRAFT,
      parameters: { reasoning_effort: 'low', seed: '1' },
      tools: '{"name":"f"}',
      format: 'json_schema',
      schema: '{}',
    };
    const body = build(draft, [], PLAIN);
    expect(body).toMatchObject({ seed: 1 });
    for (const member of ['reasoning_effort', 'tools', 'response_format']) expect(body).not.toHaveProperty(member);
    expect(listUnsupported(draft, PLAIN)).toEqual(['Reasoning effort', 'Tools', 'Response format']);
    expect(listUnsupported(draft, undefined)).toEqual([]);
  });

  it('puts files before the words', () => {
    const part = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };
    const attachments = [{ id: '1', name: 'a.png', bytes: 3, part }];
    expect(writePrompt({ prompt: 'What is this?', attachments })?.['content']).toEqual([part, { type: 'text', text: 'What is this?' }]);
    expect(writePrompt({ prompt: ' ', attachments: [] })).toBeUndefined();
  });
});

describe('what was typed', () => {
  it.each([
    [{ parameters: { temperature: '3' } }, 'temperature'],
    [{ parameters: { max_tokens: '0' } }, 'max_tokens'],
    [{ parameters: { seed: '1.5' } }, 'seed'],
    [{ parameters: { reasoning_effort: 'lots' } }, 'reasoning_effort'],
    [{ tools: '[{' }, 'tools'],
    [{ tools: '[{"description":"x"}]' }, 'tools'],
    [{ format: 'json_schema' }, 'schema'],
    [{ more: '[]' }, 'more'],
    [{ more: '{"stream":false}' }, 'more'],
  ] as const)('is refused at its field: %j', (change, field) => {
    expect(Object.keys(findDraftErrors({ ...EMPTY_DRAFT, ...change }))).toEqual([field]);
  });

  it('is fine where nothing was typed', () => expect(findDraftErrors(EMPTY_DRAFT)).toEqual({}));
});

describe('a conversation', () => {
  it('goes on with replies and calls, and without what failed', () => {
    const rounds = [
      ask('one', reply({ text: 'first', details: [{ type: 'reasoning.text', text: 'hm' }] })),
      ask('lost', reply({ state: 'refused' })),
      ask('cut', reply({ state: 'broken', text: 'ha', calls: [CALL] })),
      ask('two', reply({ calls: [CALL] })),
    ];
    expect(listMessages(rounds)).toEqual([
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'first', reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] },
      { role: 'user', content: 'cut' },
      { role: 'assistant', content: 'ha' },
      { role: 'user', content: 'two' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Graz"}' } }],
      },
    ]);
    expect(findOpenCalls(rounds)).toEqual([CALL]);
    expect(findOpenCalls([...rounds, ask('result', reply({ state: 'refused' }))])).toEqual([CALL]);
    expect(findOpenCalls([...rounds, ask('result', reply({ text: 'warm' }))])).toEqual([]);
  });
});

describe('a body from elsewhere', () => {
  const body = {
    model: 'a/b',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'one' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'c1', content: '21' },
      { role: 'assistant', content: 'It is warm.', reasoning_content: 'hm' },
      { role: 'user', content: 'two' },
    ],
    temperature: 0.2,
    max_tokens: 30,
    stop: ['a', 'b'],
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } },
    top_k: 40,
    tool_choice: { type: 'function', function: { name: 'f' } },
  };

  it('is sent again as it was', () => {
    const { draft, rounds, leftOut, model } = readChatBody({ ...body, stream: false });
    expect({ model, leftOut, prompt: draft.prompt, errors: findDraftErrors(draft) }).toEqual({
      model: 'a/b',
      leftOut: [],
      prompt: 'two',
      errors: {},
    });
    const next = buildChatBody({ model: 'a/b', known: undefined, draft, rounds: [...rounds, ask('two')] });
    const { max_tokens: most, ...rest } = body;
    expect(next).toEqual({ ...rest, max_completion_tokens: most, stream: true, stream_options: { include_usage: true } });
  });

  it('keeps images with their prompt, and messages of mixed parts as they are', () => {
    const part = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
    const words = { type: 'text', text: 'What?' };
    const asked = readChatBody({ model: 'a/b', messages: [{ role: 'user', content: [part, words] }] });
    expect([asked.draft.prompt, asked.draft.attachments.map((one) => one.part)]).toEqual(['What?', [part]]);
    const content = [words, part, words];
    const mixed = readChatBody({ model: 'a/b', messages: [{ role: 'user', content }] });
    expect([mixed.draft.prompt, listMessages(mixed.rounds)]).toEqual(['', [{ role: 'user', content }]]);
    const after = readChatBody({ model: 'a/b', messages: [{ role: 'user', content: [words, part] }] });
    expect(listMessages(after.rounds)).toEqual([{ role: 'user', content: [words, part] }]);
  });

  it.each([
    ['text', 'no JSON object'],
    [{ model: 'a/b' }, 'no messages'],
    [{ messages: [{ role: 'user', content: 'x' }], n: 3 }, 'n: 3'],
    [{ messages: [{ content: 'x' }] }, 'no role'],
  ])('says what it leaves out: %j', (given, sentence) => {
    expect(readChatBody(given).leftOut.join(' ')).toContain(sentence);
  });
});
