import type { ChatDeviation } from '@weir/providers';
import { checkStreamGrammar } from '@weir/testing';
import fc from 'fast-check';
import { repairReply } from './repair-reply';
import { createRepairRules } from './repair-rules';
import { createStreamRepair } from './repair-stream';

const ALL: readonly ChatDeviation[] = [
  'members-left-out',
  'roles-repeated',
  'finish-reason-words',
  'content-parts',
  'tool-call-fragments',
  'last-delta-with-reason',
  'reasoning-name',
];

type Chunk = {
  id?: string;
  object?: string;
  created?: number;
  model?: string;
  usage?: unknown;
  error?: unknown;
  choices: { index?: number; delta: Record<string, unknown>; finish_reason: unknown }[];
};

const HEAD = { id: 'c1', object: 'chat.completion.chunk', created: 7, model: 'm' };
const done = 'data: [DONE]\n\n';
const frame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const chunk = (delta: unknown, finish: unknown = null, more: object = {}) =>
  frame({ ...HEAD, choices: [{ index: 0, delta, finish_reason: finish }], ...more });

function repair(text: string, deviations: readonly ChatDeviation[] = ALL): string {
  return createStreamRepair(createRepairRules(deviations, 'p/m'))(Buffer.from(text)).toString();
}

function read(text: string): Chunk[] {
  return text
    .split('\n\n')
    .filter((each) => each.startsWith('data: {'))
    .map((each) => JSON.parse(each.slice(6)) as Chunk);
}

const deltasOf = (text: string) => read(text).map(({ choices }) => choices[0]?.delta);
const problemsOf = (text: string) => checkStreamGrammar('chat-completions', text);

describe('createStreamRepair', () => {
  it('numbers tool calls without an index and gives each the members of a first fragment', () => {
    const calls = [
      { id: 'a', function: { name: 'f', arguments: '{}' } },
      { id: 'b', function: { name: 'g', arguments: { x: 1 } } },
    ];
    const repaired = repair(chunk({ role: 'assistant', content: '', tool_calls: calls }, 'tool_calls') + done);

    expect(problemsOf(repaired)).toEqual([]);
    expect(deltasOf(repaired)[0]).toMatchObject({
      tool_calls: [
        { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } },
        { index: 1, id: 'b', type: 'function', function: { name: 'g', arguments: '{"x":1}' } },
      ],
    });
  });

  it('distinguishes calls that all have the index 0, and joins the fragments of one', () => {
    const fragments = [
      { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{' } },
      { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '}' } },
      { index: 0, id: 'b', function: { name: 'f', arguments: '{"n":' } },
      { index: 0, function: { arguments: '1}' } },
    ];
    const repaired = repair(fragments.map((fragment) => chunk({ tool_calls: [fragment] })).join('') + chunk({}, 'stop') + done);

    expect(problemsOf(repaired)).toEqual([]);
    expect(deltasOf(repaired).map((delta) => delta?.['tool_calls'])).toEqual([
      [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{' } }],
      [{ index: 0, function: { arguments: '}' } }],
      [{ index: 1, id: 'b', type: 'function', function: { name: 'f', arguments: '{"n":' } }],
      [{ index: 1, function: { arguments: '1}' } }],
      undefined,
    ]);
    expect(read(repaired).at(-1)?.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('joins the fragments of a call that come under two indexes', () => {
    const fragments = [
      { index: 1, id: 'a', type: 'function', function: { name: 'f' } },
      { index: 0, function: { arguments: '{"n":' } },
      { index: 0, function: { arguments: '1}' } },
    ];
    const repaired = repair(fragments.map((fragment) => chunk({ tool_calls: [fragment] })).join('') + chunk({}, 'tool_calls') + done);

    expect(problemsOf(repaired)).toEqual([]);
    expect(deltasOf(repaired).map((delta) => delta?.['tool_calls'])).toEqual([
      [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }],
      [{ index: 0, function: { arguments: '{"n":' } }],
      [{ index: 0, function: { arguments: '1}' } }],
      undefined,
    ]);
  });

  it('reads a call by its type where both members are filled in', () => {
    const custom = { name: '', input: '' };
    const fragments = [
      { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' }, custom },
      { index: 0, function: { arguments: '{}' }, custom },
      { index: 1, id: 'b', type: 'custom', custom: { name: 'g', input: 'x' }, function: { name: '', arguments: '' } },
    ];
    const repaired = repair(fragments.map((fragment) => chunk({ tool_calls: [fragment] })).join('') + chunk({}, 'tool_calls') + done);

    expect(deltasOf(repaired).map((delta) => delta?.['tool_calls'])).toEqual([
      [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }],
      [{ index: 0, function: { arguments: '{}' } }],
      [{ index: 1, id: 'b', type: 'custom', custom: { name: 'g', input: 'x' } }],
      undefined,
    ]);
  });

  it('gives a call the name that comes after its id', () => {
    const fragments = [
      { index: 0, id: 'a' },
      { index: 0, function: { name: 'f', arguments: '{}' } },
    ];
    const repaired = repair(fragments.map((fragment) => chunk({ tool_calls: [fragment] })).join(''));
    expect(deltasOf(repaired)[1]?.['tool_calls']).toEqual([{ index: 0, function: { name: 'f', arguments: '{}' } }]);
  });

  it.each([
    ['before the reason', chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f' } }] }) + chunk({}, 'tool_calls') + done],
    ['with the reason', chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '' } }] }, 'tool_calls') + done],
    ['without a reason', chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: null } }] }) + done],
  ])('says of a call without arguments that there are none: %s', (_when, text) => {
    const repaired = repair(text);
    expect(problemsOf(repaired)).toEqual([]);
    const calls = deltasOf(repaired).flatMap((delta) => (delta?.['tool_calls'] ?? []) as { function: { arguments: string } }[]);
    expect(calls.map((call) => call.function.arguments).join('')).toBe('{}');
  });

  it('gives a call an id that has none', () => {
    const repaired = repair(chunk({ tool_calls: [{ index: 0, function: { name: 'f', arguments: '' } }] }));
    expect(deltasOf(repaired)[0]).toMatchObject({ tool_calls: [{ id: expect.stringMatching(/^call_/) as string, type: 'function' }] });
  });

  it('splits a list of content parts into text and reasoning', () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
      { type: 'text', text: 'yes' },
    ];
    expect(deltasOf(repair(chunk({ content })))).toEqual([{ role: 'assistant', content: 'yes', reasoning_content: 'hm' }]);
  });

  it('shows reasoning in the member by which the gateway shows it everywhere', () => {
    expect(deltasOf(repair(chunk({ reasoning: 'hm' })))).toEqual([{ role: 'assistant', reasoning_content: 'hm' }]);
  });

  it.each([
    ['eos', 'stop'],
    ['EOS', 'stop'],
    ['model_length', 'length'],
    ['max_tokens', 'length'],
    ['tool_use', 'tool_calls'],
    ['safety', 'content_filter'],
    ['whatever', 'stop'],
    ['function_call', 'function_call'],
  ])('says %s as %s', (word, reason) => {
    expect(read(repair(chunk({}, word))).at(-1)?.choices[0]?.finish_reason).toBe(reason);
  });

  it('keeps the word beside the nearest reason where none means that', () => {
    const choice = { index: 0, message: { content: 'a' }, finish_reason: 'brand_new' };
    const whole = JSON.parse(repairReply(JSON.stringify({ ...HEAD, choices: [choice] }), createRepairRules(ALL, 'p/m'))) as {
      choices: object[];
    };

    expect(read(repair(chunk({}, 'brand_new'))).at(-1)?.choices[0]).toMatchObject({
      finish_reason: 'stop',
      native_finish_reason: 'brand_new',
    });
    expect(whole.choices[0]).toMatchObject({ finish_reason: 'stop', native_finish_reason: 'brand_new' });
    expect(repair(chunk({}, 'eos'))).not.toContain('native_finish_reason');
  });

  it('fills in what was left out, the same in all chunks', () => {
    const bare = [{ choices: [{ delta: { content: 'a' } }] }, { id: 'late', choices: [{ finish_reason: 'stop' }] }];
    const repaired = repair(bare.map(frame).join('') + done);

    expect(problemsOf(repaired)).toEqual([]);
    expect(read(repaired)[0]).toMatchObject({ object: 'chat.completion.chunk', model: 'p/m' });
    expect(read(repaired)[0]?.id).toMatch(/^chatcmpl-/);
  });

  it('names the role once and first, and leaves out members without a value', () => {
    const empty = { role: 'assistant', tool_calls: null, reasoning_content: null, function_call: { name: '', arguments: '' } };
    const repaired = repair(
      chunk({ ...empty, content: 'a' }, null, { usage: null }) + chunk({ ...empty, content: 'b' }) + chunk({}, 'stop') + done,
    );

    expect(problemsOf(repaired)).toEqual([]);
    expect(deltasOf(repaired)).toEqual([{ role: 'assistant', content: 'a' }, { content: 'b' }, {}]);
    expect(repaired).not.toContain('usage');
  });

  it('puts the reason to stop, and usage with it, behind the last delta', () => {
    const repaired = repair(chunk({ content: 'all' }, 'stop', { usage: { total_tokens: 3 } }));

    expect(read(repaired)).toEqual([
      { ...HEAD, choices: [{ index: 0, delta: { role: 'assistant', content: 'all' }, finish_reason: null }] },
      { ...HEAD, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: { total_tokens: 3 } },
    ]);
  });

  it('says a reason once, and loses no text that follows it', () => {
    const late = chunk({ role: 'assistant', content: '' }, 'stop') + chunk({ content: 'more' }, 'stop');
    const repaired = repair(chunk({ content: 'a' }) + chunk({}, 'stop') + late);

    expect(read(repaired).map(({ choices }) => [choices[0]?.delta['content'], choices[0]?.finish_reason])).toEqual([
      ['a', null],
      [undefined, 'stop'],
      ['more', null],
    ]);
  });

  it('ends choices that were never ended, before usage', () => {
    const repaired = repair(chunk({ content: 'a' }) + frame({ ...HEAD, choices: [], usage: { total_tokens: 3 } }) + done);

    expect(problemsOf(repaired)).toEqual([]);
    expect(read(repaired)[1]?.choices[0]?.finish_reason).toBe('stop');
  });

  it('reports a failure where the provider says that its answer ended in one', () => {
    expect(read(repair(chunk({}, 'error')))[0]?.error).toBeDefined();
    expect(repair(frame({ error: { message: 'no' } }))).toBe(frame({ error: { message: 'no' } }));
  });

  it('passes comments and frames that are no chunks as they came', () => {
    for (const other of [': ping\n\n', frame({ detail: 'm' }), 'data: nonsense\n\n', done]) expect(repair(other)).toBe(other);
  });

  it('writes nothing else into a stream that has no fault, however it is cut', () => {
    const sound = chunk({ role: 'assistant', content: '' }) + chunk({ content: 'é' }) + chunk({}, 'length') + done;
    const frames = sound.split(/(?<=\n\n)/);
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: frames.length, maxLength: frames.length }), (cuts) => {
        const push = createStreamRepair(createRepairRules(ALL, 'p/m'));
        let output = '';
        let held = '';
        frames.forEach((each, index) => {
          held += each;
          if (cuts[index] === false && index < frames.length - 1) return;
          output += push(Buffer.from(held)).toString();
          held = '';
        });
        expect(output).toBe(sound);
      }),
    );
  });

  it('puts right only what the provider is known for', () => {
    const said = chunk({ content: 'a' }, 'eos');
    expect(read(repair(said, ['finish-reason-words']))).toEqual([
      { ...HEAD, choices: [{ index: 0, delta: { content: 'a' }, finish_reason: 'stop' }] },
    ]);
  });
});

describe('repairReply', () => {
  const rules = createRepairRules(ALL, 'p/m');
  const reply = (choices: unknown[], more: object = {}) =>
    JSON.stringify({ id: 'c1', object: 'chat.completion', created: 7, model: 'm', choices, ...more });
  const repairedChoice = (choice: object) => (JSON.parse(repairReply(reply([choice]), rules)) as { choices: unknown[] }).choices[0];

  it('puts a message in the place of one that the filter cut off', () => {
    expect(repairedChoice({ finish_reason: 'content_filter' })).toEqual({
      index: 0,
      message: { role: 'assistant', content: null, refusal: null },
      logprobs: null,
      finish_reason: 'content_filter',
    });
  });

  it('reads calls by their type, and says of one without arguments that there are none', () => {
    const calls = [
      { id: 'a', type: 'function', function: { name: 'f' }, custom: { name: '', input: '' } },
      { id: 'b', type: 'function', function: { name: 'g', arguments: '' } },
    ];
    const text = JSON.stringify({ choices: [{ message: { tool_calls: calls }, finish_reason: 'tool_calls' }] });
    expect(JSON.parse(repairReply(text, createRepairRules(ALL, 'p/m')))).toMatchObject({
      choices: [
        {
          message: {
            tool_calls: [
              { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } },
              { id: 'b', type: 'function', function: { name: 'g', arguments: '{}' } },
            ],
          },
        },
      ],
    });
    expect(repairReply(text, createRepairRules(ALL, 'p/m'))).not.toContain('custom');
  });

  it('puts tool calls, their reason and parts of content right', () => {
    const message = {
      role: 'assistant',
      content: [{ type: 'text', text: 'a' }],
      tool_calls: [{ id: 'x', function: { name: 'f', arguments: {} } }],
    };
    expect(repairedChoice({ index: 0, message, finish_reason: 'stop' })).toMatchObject({
      message: { content: 'a', tool_calls: [{ id: 'x', type: 'function', function: { name: 'f', arguments: '{}' } }] },
      finish_reason: 'tool_calls',
    });
  });

  it('reports a failure where the answer ended in one, and passes anything that is no reply', () => {
    expect(JSON.parse(repairReply(reply([{ index: 0, message: {}, finish_reason: 'error' }]), rules))).toHaveProperty('error');
    for (const other of ['', 'no JSON', '{"error":{"message":"m"}}', '{"detail":1}']) expect(repairReply(other, rules)).toBe(other);
  });
});
