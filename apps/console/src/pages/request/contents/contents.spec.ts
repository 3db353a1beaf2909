import { readReply } from './read-reply';
import { readRequest } from './read-said';
import { readRepeatable, writeCurl } from './repeat-request';

const json = JSON.stringify;
const sse = (...events: object[]): string => [...events.map((event) => `data: ${json(event)}\n\n`), 'data: [DONE]\n\n'].join('');

describe('what was sent', () => {
  it('is a conversation in every dialect', () => {
    const parts = [
      { type: 'text', text: 'Look' },
      { type: 'image_url', image_url: { url: 'data:…' } },
    ];
    const call = { function: { name: 'find', arguments: '{"q":1}' } };
    expect(
      readRequest(
        'chat-completions',
        json({
          messages: [
            { role: 'user', content: parts },
            { role: 'assistant', content: null, tool_calls: [call] },
          ],
        }),
      ),
    ).toEqual([
      { role: 'user', text: 'Look\n\n[image_url]' },
      { role: 'assistant', text: 'find({"q":1})' },
    ]);
    const blocks = [
      { type: 'tool_use', name: 'find', input: { q: 1 } },
      { type: 'tool_result', content: [{ type: 'text', text: 'found' }] },
    ];
    expect(
      readRequest('messages', json({ system: [{ type: 'text', text: 'Be brief' }], messages: [{ role: 'user', content: blocks }] })),
    ).toEqual([
      { role: 'system', text: 'Be brief' },
      { role: 'user', text: 'find({"q":1})\n\nfound' },
    ]);
    const items = [
      { role: 'user', content: [{ type: 'input_text', text: 'Hello' }] },
      { type: 'function_call', name: 'find', arguments: '{}' },
      { type: 'function_call_output', output: 'found' },
    ];
    expect(readRequest('responses', json({ instructions: 'Be brief', input: items }))).toEqual([
      { role: 'system', text: 'Be brief' },
      { role: 'user', text: 'Hello' },
      { role: 'assistant', text: 'find({})' },
      { role: 'tool', text: 'found' },
    ]);
    expect(readRequest('responses', json({ input: 'Hello' }))).toEqual([{ role: 'user', text: 'Hello' }]);
    expect(readRequest('embeddings', json({ input: ['a', 'b'] }))).toEqual([
      { role: 'input', text: 'a' },
      { role: 'input', text: 'b' },
    ]);
    expect(readRequest('completions', json({ prompt: 'Once' }))).toEqual([{ role: 'prompt', text: 'Once' }]);
  });

  it('is nothing to read where it was cut, or is of an endpoint that is not known', () => {
    expect(readRequest('chat-completions', '{"messages":[{"role":"us')).toBeUndefined();
    expect(readRequest('chat-completions', '{}')).toBeUndefined();
    expect(readRequest('something-new', json({ messages: [{ role: 'user', content: 'Hello' }] }))).toBeUndefined();
  });
});

describe('what came back', () => {
  const whole = (body: object) => readReply(json(body), 'application/json; charset=utf-8');
  const stream = (...events: object[]) => readReply(sse(...events), 'text/event-stream; charset=utf-8');

  it('is read from whole replies', () => {
    expect(whole({ choices: [{ message: { role: 'assistant', content: 'Hi' } }] })).toEqual([{ role: 'assistant', text: 'Hi' }]);
    expect(whole({ choices: [{ text: 'Hi' }] })).toEqual([{ role: 'assistant', text: 'Hi' }]);
    expect(whole({ output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }] })).toEqual([
      { role: 'assistant', text: 'Hi' },
    ]);
    expect(whole({ role: 'assistant', content: [{ type: 'text', text: 'Hi' }] })).toEqual([{ role: 'assistant', text: 'Hi' }]);
    expect(whole({ error: { message: 'No' } })).toEqual([{ role: 'error', text: 'No' }]);
    expect(whole({ data: [{ embedding: [0.1] }] })).toBeUndefined();
  });

  it('is put together from streams', () => {
    const delta = (part: object) => ({ choices: [{ delta: part }] });
    expect(
      stream(
        delta({ reasoning_content: 'Hm' }),
        delta({ content: 'He' }),
        delta({ content: 'llo' }),
        delta({ tool_calls: [{ index: 0, function: { name: 'find', arguments: '' } }] }),
        delta({ tool_calls: [{ index: 0, function: { arguments: '{"q":1}' } }] }),
      ),
    ).toEqual([
      { role: 'reasoning', text: 'Hm' },
      { role: 'assistant', text: 'Hello\n\nfind({"q":1})' },
    ]);
    expect(
      stream(
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
        { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', name: 'find' } },
        { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{}' } },
      ),
    ).toEqual([{ role: 'assistant', text: 'Hello\n\nfind({})' }]);
    expect(
      stream(
        { type: 'response.output_text.delta', delta: 'Hello' },
        { type: 'response.output_item.added', output_index: 1, item: { type: 'function_call', name: 'find' } },
        { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{}' },
        { type: 'response.failed', response: { error: { message: 'cut' } } },
      ),
    ).toEqual([
      { role: 'assistant', text: 'Hello\n\nfind({})' },
      { role: 'error', text: 'cut' },
    ]);
    expect(readReply('data: {"cho', 'text/event-stream')).toBeUndefined();
  });
});

describe('sending it again', () => {
  const body = '{"messages":[{"role":"user","content":"It\'s"}]}';

  it('is a line for a shell without a key in it, and a body for the playground', () => {
    expect(writeCurl({ endpoint: 'messages', body, isCut: false }, 'https://weir.example/')).toBe(
      [
        'curl https://weir.example/v1/messages \\',
        '  -H "Authorization: Bearer $WEIR_API_KEY" \\',
        '  -H "Content-Type: application/json" \\',
        `  -d '{"messages":[{"role":"user","content":"It'\\''s"}]}'`,
      ].join('\n'),
    );
    expect(readRepeatable({ endpoint: 'chat-completions', body, isCut: false })).toEqual({ messages: [{ role: 'user', content: "It's" }] });
  });

  it('is not offered where it would be something else than what was sent', () => {
    expect(writeCurl({ endpoint: 'messages', body, isCut: true }, 'https://weir.example')).toBeUndefined();
    expect(writeCurl({ endpoint: 'something-new', body, isCut: false }, 'https://weir.example')).toBeUndefined();
    expect(readRepeatable({ endpoint: 'messages', body, isCut: false })).toBeUndefined();
    expect(readRepeatable({ endpoint: 'chat-completions', body, isCut: true })).toBeUndefined();
  });
});
