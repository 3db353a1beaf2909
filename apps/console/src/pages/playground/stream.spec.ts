import { applyChunk } from './apply-chunk';
import { beginReply, type Reply } from './conversation';
import { readEvents, type ServerEvent } from './read-events';
import { splitText } from './split-text';

async function read(...pieces: string[]): Promise<ServerEvent[]> {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(encoder.encode(piece));
      controller.close();
    },
  });
  const events: ServerEvent[] = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
}

describe('a stream', () => {
  it('is read event by event, wherever it was cut on the way', async () => {
    expect(await read('data: {"a"', ':1}\n', '\n: open\n\nevent: done\r\ndata: x\r\ndata: y\r\n\r', '\nda')).toEqual([
      { name: undefined, data: '{"a":1}' },
      { name: 'done', data: 'x\ny' },
    ]);
  });

  it('adds up to a reply: words, reasoning, calls and what it cost', () => {
    const delta = (value: object): object => ({ choices: [{ index: 0, delta: value }] });
    const call = (index: number, value: object): object => delta({ tool_calls: [{ index, ...value }] });
    const chunks = [
      delta({ role: 'assistant', reasoning_content: 'h', reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'h' }] }),
      delta({ reasoning_content: 'm', reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'm', signature: 's' }] }),
      delta({ content: 'Hel' }),
      delta({ content: 'lo' }),
      call(0, { id: 'c1', type: 'function', function: { name: 'f', arguments: '' } }),
      call(0, { function: { arguments: '{"a"' } }),
      call(1, { id: 'c2', type: 'custom', custom: { name: 'g', input: 'x' } }),
      call(0, { function: { arguments: ':1}' } }),
      { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
      {
        choices: [],
        usage: { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6, cost: 1e-7, prompt_tokens_details: { cached_tokens: 3 } },
      },
    ];
    const reply = chunks.reduce<Reply>((old, chunk) => applyChunk(old, chunk as Record<string, unknown>), beginReply('a/b'));
    expect(reply).toMatchObject({
      text: 'Hello',
      reasoning: 'hm',
      details: [{ type: 'reasoning.text', index: 0, text: 'hm', signature: 's' }],
      calls: [
        { id: 'c1', name: 'f', text: '{"a":1}', isCustom: false },
        { id: 'c2', name: 'g', text: 'x', isCustom: true },
      ],
      finish: 'tool_calls',
      usage: { input: 4, output: 2, cached: 3, reasoning: 0, cost: 1e-7, isEstimated: false },
    });
  });
});

describe('the text of a reply', () => {
  it('has its code set apart, also while that is being written', () => {
    const text = 'See:\n```js\nconst a = 1;\n\n```\nThen\n~~~~\n```\n~~~~\n```py\nopen';
    expect(splitText(text).map(({ kind, language, text: said }) => [kind, language, said])).toEqual([
      ['text', '', 'See:'],
      ['code', 'js', 'const a = 1;\n'],
      ['text', '', 'Then'],
      ['code', '', '```'],
      ['code', 'py', 'open'],
    ]);
  });

  it('is cut at its lines where it is long, and loses none of them', () => {
    const text = Array.from({ length: 400 }, (_, index) => `Line ${index} of many.`).join('\n');
    const pieces = splitText(text);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.map((piece) => piece.text).join('\n')).toBe(text);
  });
});
