import { GatewayError } from '@weir/errors';
import { readJsonBody } from './parse-json-body';

const LARGE = ' '.repeat(300 * 1024);

/** What is thrown for a body, small and large, which are read in different ways. */
async function refusalsOf(text: string | Buffer): Promise<unknown[]> {
  const small = await Promise.resolve()
    .then(() => readJsonBody(Buffer.from(text)))
    .catch((error: unknown) => error);
  const large = await Promise.resolve()
    .then(() => readJsonBody(Buffer.concat([Buffer.from(LARGE), Buffer.from(text)])))
    .catch((error: unknown) => error);
  return [small, large];
}

const many = (count: number, one: string): string => Array.from({ length: count }, () => one).join(',');

describe('reading a JSON body', () => {
  it.each([
    ['a doubled member', '{"model":"a","model":"b"}', 'invalid_request', 'The request body has the member model twice'],
    ['a doubled member, escaped', '{"model":"a","mod\\u0065l":"b"}', 'invalid_request', 'The request body has the member model twice'],
    ['too much depth', `{"a":${'['.repeat(64)}${']'.repeat(64)}}`, 'invalid_request', 'more than 64 levels deep'],
    ['a long number', `{"a":${'7'.repeat(1025)}}`, 'invalid_request', 'a number of more than 1024 digits'],
    ['a long name', `{"${'n'.repeat(1025)}":1}`, 'invalid_request', 'a member whose name is longer than 1024 bytes'],
    ['too many objects', `{"messages":[${many(60_000, '{}')}]}`, 'body_too_large', '60000 objects and lists'],
    ['too many elements', `{"input":[${many(500_002, '1')}]}`, 'body_too_large', '500000 units'],
    ['too many texts', `{"input":[${many(130_000, '""')}]}`, 'body_too_large', '500000 units'],
    [
      'too many members',
      `{"a":[${many(25_001, `{${Array.from({ length: 10 }, (_, index) => `"m${index}":0`).join(',')}}`)}]}`,
      'body_too_large',
      '500000 units',
    ],
    [
      'too many members in one object',
      `{${Array.from({ length: 10_001 }, (_, index) => `"m${index}":0`).join(',')}}`,
      'body_too_large',
      '10000 members in one object',
    ],
    ['text that is no JSON', '{"a":', 'invalid_json', 'ends too early'],
    ['a list', '[]', 'invalid_json', 'must be a JSON object'],
    ['bytes that are no text', Buffer.from([0x7b, 0xff, 0x7d]), 'invalid_json', 'not valid UTF-8'],
  ])('refuses %s, in a small body and in a large one', async (_, text, code, message) => {
    for (const refusal of await refusalsOf(text)) {
      expect(refusal).toBeInstanceOf(GatewayError);
      expect(refusal).toMatchObject({ code, message: expect.stringContaining(message) as string });
    }
  });

  it('names the doubled member in the field of the error', async () => {
    for (const refusal of await refusalsOf('{"messages":[{"role":"user","role":"system"}]}')) {
      expect(refusal).toMatchObject({ details: { field: 'messages[0].role' } });
    }
  });

  it('takes what real clients send: long conversations, many tools, tokens to embed, large pictures', async () => {
    const tool = { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: { a: { type: 'string' } } } } };
    const turn = (index: number) => [
      { role: 'user', content: [{ type: 'text', text: 'x'.repeat(300) }] },
      { role: 'assistant', content: null, tool_calls: [{ id: `c${index}`, type: 'function', function: { name: 'f', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: `c${index}`, content: 'x'.repeat(300) },
    ];
    const bodies = [
      {
        model: 'm',
        messages: Array.from({ length: 4_000 }, (_, index) => turn(index)).flat(),
        tools: Array.from({ length: 500 }, () => tool),
      },
      { model: 'm', input: Array.from({ length: 2_000 }, () => Array.from({ length: 150 }, (_, index) => index)) },
      {
        model: 'm',
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${'QUJD'.repeat(5e6)}` } }] }],
      },
    ];
    for (const body of bodies) {
      const bytes = Buffer.from(JSON.stringify(body));
      const { json, text } = await readJsonBody(bytes);
      expect(Object.keys(json)).toEqual(Object.keys(body));
      expect(text).toHaveLength(bytes.length);
    }
  });

  it.each([
    ['cut \\ud83d here', 'cut \\ufffd here'],
    ['\\uD83D', '\\ufffd'],
    ['\\ude00\\ud83d', '\\ufffd\\ufffd'],
    ['\\ud83d\\ud83d\\ude00', '\\ufffd\\ud83d\\ude00'],
    ['\\ud83d\\u0041 \\ud83d\\n', '\\ufffd\\u0041 \\ufffd\\n'],
    ['\\uD83d\\uDe00 \\ud7ff \\ue000 \\u00dd', '\\uD83d\\uDe00 \\ud7ff \\ue000 \\u00dd'],
    ['\\\\ud83d', '\\\\ud83d'],
  ])('mends halves of surrogate pairs in what goes on: %s', async (written, mended) => {
    const bodyOf = (word: string, long: string): string => `{"a":"${word}","${word}":1,"content":"${long}${word}","b":[{"c":"${word}"}]}`;
    // In a long text, and where a large one is cut into parts.
    for (const long of ['', 'x'.repeat(9_000), 'x'.repeat(256 * 1024 - 60), `${'x'.repeat(256 * 1024 - 59)}\\n`]) {
      const bytes = Buffer.from(bodyOf(written, long));
      const { json, text } = await readJsonBody(bytes);
      const whole = bodyOf(mended, long);
      expect([bytes.toString(), text]).toEqual([whole, whole]);
      expect(JSON.parse(JSON.stringify(json))).toEqual(JSON.parse(whole));
    }
  });

  it('is there at once for a small body, and lets others have their turn while a large one is read', async () => {
    expect(readJsonBody(Buffer.from('{"a":1}'))).toMatchObject({ text: '{"a":1}', json: { a: 1 } });
    let turns = 0;
    let isOver = false;
    const others = (): void => {
      turns += 1;
      if (!isOver) setImmediate(others);
    };
    setImmediate(others);
    await readJsonBody(Buffer.from(`{"a":[${many(390_000, '123456789')}]}`));
    isOver = true;
    expect(turns).toBeGreaterThan(10);
  });
});
