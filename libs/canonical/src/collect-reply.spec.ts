import type { ChatEvent } from './chat-event';
import { collectReply } from './collect-reply';
import { NO_USAGE, toCount } from './usage';

describe('collectReply', () => {
  it('folds interleaved blocks of several choices into one reply', () => {
    const events: ChatEvent[] = [
      { type: 'start', id: 'r1', model: 'm', createdAtSeconds: 5 },
      { type: 'reasoning-start', choice: 0, block: 0 },
      { type: 'reasoning-delta', choice: 0, block: 0, text: 'hm' },
      { type: 'reasoning-state', choice: 0, block: 0, state: { family: 'f', kind: 'signature', value: 's' } },
      { type: 'reasoning-end', choice: 0, block: 0 },
      { type: 'text-start', choice: 0, block: 1 },
      { type: 'text-start', choice: 1, block: 2 },
      { type: 'text-delta', choice: 1, block: 2, text: 'B' },
      { type: 'text-delta', choice: 0, block: 1, text: 'A' },
      { type: 'text-end', choice: 1, block: 2 },
      { type: 'text-end', choice: 0, block: 1 },
      { type: 'tool-call-start', choice: 0, block: 3, id: 'c', name: 'f', kind: 'function' },
      { type: 'tool-call-delta', choice: 0, block: 3, argumentsText: '{"a":' },
      { type: 'tool-call-delta', choice: 0, block: 3, argumentsText: '1.0}' },
      { type: 'tool-call-end', choice: 0, block: 3 },
      { type: 'finish', choice: 0, finish: { unified: 'tool-calls', upstream: 'tool_use' } },
      { type: 'finish', choice: 1, finish: { unified: 'stop', upstream: 'stop' } },
      { type: 'usage', usage: { ...NO_USAGE, output: 3 } },
      { type: 'end' },
    ];

    const reply = collectReply(events);

    expect(reply).toMatchObject({ id: 'r1', model: 'm', usage: { output: 3 } });
    expect(reply.choices.map(({ content }) => content)).toEqual([
      [
        { type: 'reasoning', text: 'hm', state: { family: 'f', kind: 'signature', value: 's' } },
        { type: 'text', text: 'A' },
        { type: 'tool-call', id: 'c', name: 'f', kind: 'function', argumentsText: '{"a":1.0}' },
      ],
      [{ type: 'text', text: 'B' }],
    ]);
    expect(reply.choices.map(({ finish }) => finish.unified)).toEqual(['tool-calls', 'stop']);
  });
});

it('collects the chances of the tokens of all text of a choice', () => {
  const said = (text: string, token: string): ChatEvent => ({
    type: 'text-delta',
    choice: 0,
    block: 0,
    text,
    logprobs: { content: [token] },
  });
  const reply = collectReply([
    { type: 'text-start', choice: 0, block: 0 },
    said('a', 'a'),
    said('b', 'b'),
    { type: 'text-end', choice: 0, block: 0 },
  ]);

  expect(reply.choices).toMatchObject([{ index: 0, logprobs: { content: ['a', 'b'] } }]);
});

describe('toCount', () => {
  it.each([
    [12, 12],
    [12.9, 13],
    [0.4, 1],
    [-4, 0],
    [Number.NaN, 0],
    ['7', 0],
    [undefined, 0],
    [Number.POSITIVE_INFINITY, 2 ** 40],
  ])('%p becomes %i', (value, expected) => {
    expect(toCount(value)).toBe(expected);
  });
});
