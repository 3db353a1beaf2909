import { NO_USAGE, type Usage } from '@weir/canonical';
import fc from 'fast-check';
import { FrameSplitter } from '../frames/frame-splitter';
import { setNested } from '../frames/edit-nested';
import type { ExpressTap } from '../frames/express-tap';
import { tapChatCompletions } from './tap-chat-completions';
import { tapMessages } from './tap-messages';
import { tapResponses } from './tap-responses';

function host() {
  const settled: (Usage | null)[] = [];
  const models: unknown[] = [];
  return {
    settled,
    models,
    expectedModel: '"model":"m"',
    noteModel: (reported: unknown) => void models.push(reported),
    readUsage: (usage: unknown): Usage => {
      const reported = usage as { completion_tokens?: number; output_tokens?: number; input_tokens?: number };
      return { ...NO_USAGE, inputUncached: reported.input_tokens ?? 1, output: reported.completion_tokens ?? reported.output_tokens ?? 0 };
    },
    settle: (usage: Usage | null) => {
      if (settled.length === 0) settled.push(usage);
      return { usage: usage ?? NO_USAGE, costUsd: '0.000012' };
    },
  };
}

function run(tap: ExpressTap, text: string, sizes: readonly number[] = [text.length * 4]): string {
  const splitter = new FrameSplitter();
  const bytes = Buffer.from(text);
  let output = '';
  let at = 0;
  for (let place = 0; at < bytes.length; place += 1) {
    const size = Math.max(1, sizes[place % sizes.length] ?? 1);
    const whole = splitter.push(bytes.subarray(at, at + size));
    if (whole !== null) output += tap.push(whole).toString();
    at += size;
  }
  return output + tap.end();
}

const chunk = (content: string, more = '') =>
  `data: {"id":"c1","object":"chat.completion.chunk","created":7,"model":"m","choices":[{"index":0,"delta":{"content":"${content}"},"finish_reason":null}]${more}}\n\n`;
const finish = 'data: {"id":"c1","created":7,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}\n\n';
const usageOnly = 'data: {"id":"c1","created":7,"model":"m","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"cost":9}}\n\n';
const done = 'data: [DONE]\n\n';

const ASKED = { isUsageAsked: true, choices: 1 };
const UNASKED = { isUsageAsked: false, choices: 1 };

describe('tapChatCompletions', () => {
  it('hides the usage a caller did not ask for, and settles with it', () => {
    const reported = host();
    const output = run(tapChatCompletions(reported, UNASKED), chunk('é', ',"usage":null') + finish + usageOnly + done);

    expect(output).toBe(chunk('é') + finish.replace(',"usage":null', '') + done);
    expect(reported.settled).toEqual([{ ...NO_USAGE, inputUncached: 1, output: 2 }]);
  });

  it('is complete when each choice has a finish reason, and not before', () => {
    const tap = tapChatCompletions(host(), { isUsageAsked: false, choices: 2 });
    const ends: boolean[] = [];
    const other = finish.replace('"index":0', '"index":1');
    for (const frame of [chunk('a').replace('null', '""'), finish, finish, chunk('b') + other]) {
      tap.push(Buffer.from(frame));
      ends.push(tap.isComplete());
    }
    expect(ends).toEqual([false, false, false, true]);
  });

  it('reads the usage together with the service tier that is reported beside it', () => {
    const tiers: unknown[] = [];
    const reported = { ...host(), readUsage: (_usage: unknown, tier?: unknown) => (tiers.push(tier), NO_USAGE) };
    run(
      tapChatCompletions(reported, ASKED),
      chunk('a') + finish + usageOnly.replace('"choices"', '"service_tier":"flex","choices"') + done,
    );
    run(tapChatCompletions(reported, ASKED), chunk('a', ',"service_tier":"fast"') + finish + usageOnly + done);
    run(tapChatCompletions(reported, ASKED), chunk('a', ',"service\\u005ftier":"slow"') + finish + usageOnly + done);
    run(tapChatCompletions(reported, ASKED), chunk('a') + finish + usageOnly + done);
    run(
      tapResponses(reported),
      'data: {"type":"response.completed","response":{"service_tier":"priority","usage":{"output_tokens":1}}}\n\n',
    );
    expect(tiers).toEqual(['flex', 'fast', 'slow', undefined, 'priority']);
  });

  it('adds our cost, in place of the provider’s, for a caller who asked', () => {
    const output = run(tapChatCompletions(host(), ASKED), chunk('a', ',"usage":null') + finish + usageOnly + done);

    expect(output).toBe(
      `${chunk('a')}${finish.replace(',"usage":null', '')}data: {"id":"c1","created":7,"model":"m","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"cost":0.000012}}\n\n${done}`,
    );
  });

  it('moves usage that sits on the finish chunk into a chunk of its own', () => {
    const merged =
      'data: {"id":"c1","created":7,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"completion_tokens":2}}\n\n';
    const output = run(tapChatCompletions(host(), ASKED), merged + done);
    const frames = output
      .trim()
      .split('\n\n')
      .map((frame) => frame.slice(6));

    expect(JSON.parse(frames[0] ?? '')).toEqual({
      id: 'c1',
      created: 7,
      model: 'm',
      choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
    });
    expect(JSON.parse(frames[1] ?? '')).toMatchObject({ id: 'c1', choices: [], usage: { completion_tokens: 2, cost: 0.000012 } });
    expect(frames[2]).toBe('[DONE]');
  });

  it('settles before [DONE] even when the provider never reported usage', () => {
    const reported = host();
    const tap = tapChatCompletions(reported, ASKED);
    const output = run(tap, chunk('a') + finish + done);

    expect(reported.settled).toEqual([null]);
    expect(output).toContain('"choices":[],"usage":{');
    expect(tap.isComplete()).toBe(true);
  });

  it('takes no end without a beginning for an answer', () => {
    for (const nothing of [done, `data: {"detail":"m"}\n\n${done}`]) {
      const reported = host();
      const tap = tapChatCompletions(reported, ASKED);

      expect(String(tap.push(Buffer.from(nothing)))).not.toContain('[DONE]');
      expect([tap.isComplete(), reported.settled]).toEqual([false, []]);
    }
  });

  it('closes a stream whose provider forgot [DONE]', () => {
    expect(run(tapChatCompletions(host(), UNASKED), chunk('a') + finish)).toMatch(/data: \[DONE\]\n\n$/);
  });

  it('knows a finish reason however the provider spaces its JSON', () => {
    const spaced = 'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}\n\n';
    const tap = tapChatCompletions(host(), UNASKED);
    run(tap, spaced);

    expect(tap.isComplete()).toBe(true);
  });

  it('passes on an error without a word beside a chunk, which is none', () => {
    const wordless = ',"error":{"message":"","type":"","param":null,"code":null}';
    const output = run(tapChatCompletions(host(), UNASKED), chunk('a', wordless) + finish + done);
    expect(output).toContain(chunk('a', wordless));
    expect(() => run(tapChatCompletions(host(), UNASKED), chunk('a', ',"error":{"message":"m"}'))).toThrow();
  });

  it('gives the same output for any split of the bytes', () => {
    const input = chunk('käse "quoted" \\"usage\\":{', ',"usage":null') + chunk('b') + finish + usageOnly + done;
    const expected = run(tapChatCompletions(host(), ASKED), input);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 12 }), (sizes) => {
        expect(run(tapChatCompletions(host(), ASKED), input, sizes)).toBe(expected);
      }),
    );
  });
});

describe('what follows the last event', () => {
  const stop = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';
  const completed = 'data: {"type":"response.completed","response":{"id":"r","usage":null}}\n\n';
  const junk = 'data: {"error":{"message":"late"}}\n\ndata: {"choices":[{"index":0,"delta":{"content":"more"}}]}\n\n<html>';

  it.each([
    ['chat completions', (reported: ReturnType<typeof host>) => tapChatCompletions(reported, ASKED), chunk('a') + finish, done],
    ['messages', tapMessages, 'event: ping\ndata: {"type":"ping"}\n\n', stop],
    ['responses', tapResponses, 'data: {"type":"response.created"}\n\n', completed],
  ] as const)('is dropped, however it is split: %s', (_, open, begin, end) => {
    const expected = run(open(host()), begin + end);
    for (const size of [4000, 1, 7, begin.length + end.length]) {
      const tap = open(host());
      expect([run(tap, begin + end + junk + end, [size]), tap.isOver()]).toEqual([expected, true]);
    }
  });
});

describe('tapMessages', () => {
  const start =
    'event: message_start\ndata: {"type":"message_start","message":{"id":"m","usage":{"input_tokens":25,"output_tokens":1}}}\n\n';
  const delta = 'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":15}}\n\n';
  const stop = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';

  it('merges usage from start and delta and puts the cost into the delta', () => {
    const reported = host();
    const output = run(tapMessages(reported), start + delta + stop);

    expect(reported.settled).toEqual([{ ...NO_USAGE, inputUncached: 25, output: 15 }]);
    expect(output).toBe(start + delta.replace('"output_tokens":15', '"output_tokens":15,"cost":0.000012') + stop);
  });

  it('passes on what is no JSON beside what concerns it', () => {
    const silence = 'event: ping\ndata:\n\n';

    expect(run(tapMessages(host()), start + silence + delta + stop, [4000])).toContain(silence);
  });

  it('is not complete before message_stop', () => {
    const tap = tapMessages(host());
    run(tap, start + delta);

    expect(tap.isComplete()).toBe(false);
  });
});

describe('tapResponses', () => {
  it('keeps the usage of null that a response has before its end', () => {
    const created = 'event: response.created\ndata: {"type":"response.created","response":{"id":"r","usage":null}}\n\n';
    expect(tapResponses(host()).push(Buffer.from(created)).toString()).toBe(created);
  });

  it('passes on what is no JSON, and settles a failed response as failed', () => {
    const keepalive = 'event: keepalive\ndata:\n\n';
    const failed =
      'event: response.failed\ndata: {"type":"response.failed","response":{"status":"failed","error":{"code":"rate_limit_exceeded"},"usage":null}}\n\n';
    const failures: unknown[] = [];
    const reported = host();
    const tap = tapResponses({ ...reported, settle: (usage, failure) => (failures.push(failure), reported.settle(usage)) });

    expect(run(tap, keepalive + failed)).toBe(keepalive + failed);
    expect(failures[0]).toBe('{"error":{"code":"rate_limit_exceeded"}}');
  });

  it('puts the cost into the terminal event and touches nothing else', () => {
    const created = 'event: response.created\ndata: {"type":"response.created","response":{"usage":null}}\n\n';
    const completed =
      'event: response.completed\ndata: {"type":"response.completed","response":{"id":"r","usage":{"input_tokens":3,"output_tokens":4}}}\n\n';
    const reported = host();

    expect(run(tapResponses(reported), created + completed)).toBe(
      created + completed.replace('"output_tokens":4', '"output_tokens":4,"cost":0.000012'),
    );
    expect(reported.settled).toEqual([{ ...NO_USAGE, inputUncached: 3, output: 4 }]);
  });

  it('ends where the response of the last event is null', () => {
    const reported = host();
    const last = 'event: response.completed\ndata: {"type":"response.completed","response":null}\n\n';
    expect(run(tapResponses(reported), last)).toBe(last);
    expect(reported.settled).toEqual([null]);
  });

  it('knows what was finished before a stream broke, in the order of the output', () => {
    const item = (index: number, text: string): string =>
      `event: response.output_item.done\ndata: {"type":"response.output_item.done","output_index":${index},"item":{"type":"message","id":"${text}"}}\n\n`;
    const quoted = 'event: x\ndata: {"type":"response.output_text.delta","delta":"\\"response.output_item.done\\""}\n\n';
    const tap = tapResponses(host());
    run(tap, item(1, 'b') + quoted + item(0, 'a'), [7, 50]);

    expect(tap.output?.()).toEqual([
      { type: 'message', id: 'a' },
      { type: 'message', id: 'b' },
    ]);
  });

  it('counts the searches among the items of the output, which have a fee of their own', () => {
    const output = [
      { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'a' } },
      { type: 'web_search_call', status: 'completed' },
      { type: 'web_search_call', status: 'completed', action: { type: 'open_page', url: 'https://a.example' } },
      { type: 'web_search_call', status: 'failed', action: { type: 'search', query: 'b' } },
      { type: 'message', status: 'completed', content: [{ type: 'output_text', text: 'web_search_call' }] },
    ];
    const incomplete = { type: 'response.incomplete', response: { output, usage: { input_tokens: 3, output_tokens: 4 } } };
    const reported = host();
    run(tapResponses(reported), `event: response.incomplete\ndata: ${JSON.stringify(incomplete)}\n\n`);

    expect(reported.settled).toEqual([{ ...NO_USAGE, inputUncached: 3, output: 4, searches: 2 }]);
  });
});

describe('setNested', () => {
  it('leaves the text alone when the way there does not exist', () => {
    expect(setNested('{"a":1}', ['b', 'c'], '2')).toBe('{"a":1}');
    expect(setNested('{"b":{}}', ['b', 'c'], '2')).toBe('{"b":{"c":2}}');
  });
});

describe('the model that a stream names', () => {
  const named = (model: string): string => chunk('a').replace('"model":"m"', `"model": "${model}"`);

  it.each<[string, string, unknown[]]>([
    ['is not looked at where it is the one that was asked for', chunk('a') + named('other') + finish, []],
    ['is reported once where it is another one', named('other') + named('third') + finish, ['other']],
    ['is that of the first frame which has one', named('') + named('other') + finish, ['other']],
    ['is none of the texts', chunk('\\"model\\":\\"other\\"') + finish, []],
  ])('%s, of chat completions', (_, text, expected) => {
    const reported = host();
    run(tapChatCompletions(reported, UNASKED), text + done);
    expect(reported.models).toEqual(expected);
  });

  it('is in the first event of messages, and in the last one of responses', () => {
    const [messages, responses] = [host(), host()];
    run(tapMessages(messages), 'event: message_start\ndata: {"type":"message_start","message":{"model":"other"}}\n\n');
    run(tapResponses(responses), 'event: response.completed\ndata: {"type":"response.completed","response":{"model":"other"}}\n\n');
    expect([messages.models, responses.models]).toEqual([['other'], ['other']]);
  });
});
