import { createLossReport, createOriginalBody, type OriginalBody } from '@weir/canonical';
import { buildRequest, buildTarget } from '../../__fixtures__/build-target';
import { encodeOriginal, encodeRequest } from './encode-request';

const send = (text: string): string =>
  encodeOriginal(createOriginalBody(text) as OriginalBody, buildTarget('gpt-x'), false).body.toString();
const around = (part: string): string =>
  `{"model":"gpt-x","x":1.50,"input":[{"type":"message","role":"user","content":[{"type":"input_text",  "text":"\\"file_data\\": \\"https://a"},${part}]},{"role":"user","content":"file_data"}]}`;

describe('the address of a file in the caller’s own body', () => {
  it.each<[string, string, string]>([
    [
      'moves to file_url',
      '{"type":"input_file","file_data":"https://x.org/a.pdf"}',
      '{"type":"input_file","file_url":"https://x.org/a.pdf"}',
    ],
    [
      'moves without a name, which belongs to bytes',
      '{"type":"input_file", "filename":"a.pdf","n":1e2,"file_data": "http:\\/\\/x.org/a?b=%20"}',
      '{"type":"input_file","n":1e2,"file_url":"http://x.org/a?b=%20"}',
    ],
    [
      'replaces another',
      '{"type":"input_file","file_url":"https://y.org","file_data":"https://x.org/a"}',
      '{"type":"input_file","file_url":"https://x.org/a"}',
    ],
  ])('%s', (_, given, sent) => {
    expect(send(around(given))).toBe(around(sent));
  });

  it('moves in the result of a tool as well', () => {
    const item = (part: object) =>
      JSON.stringify({ model: 'gpt-x', input: [{ type: 'function_call_output', call_id: 'c', output: [part] }] });
    expect(send(item({ type: 'input_file', file_data: 'https://x.org/a' }))).toBe(
      item({ type: 'input_file', file_url: 'https://x.org/a' }),
    );
  });

  it.each([
    '{"type":"input_file","filename":"a.pdf", "file_data":"data:application/pdf;base64,AA=="}',
    '{"type":"input_file", "file_url":"https://x.org/a.pdf"}',
    '{"type":"other", "file_data":"https://x.org/a.pdf"}',
    '{"type":"input_text", "text":"{\\"type\\":\\"input_file\\",\\"file_data\\":\\"https://x.org\\"}"}',
  ])('stays, every byte of the body: %s', (part) => {
    expect(send(around(part))).toBe(around(part));
  });

  it('stays where input is text', () => {
    const text = '{"model":"gpt-x","input":"\\"file_data\\":\\"https:","metadata":{"file_data":"https://x.org"}}';
    expect(send(text)).toBe(text);
  });
});

it.each([
  [1, 16, ['max_tokens']],
  [15, 16, ['max_tokens']],
  [16, 16, []],
  [17, 17, []],
])('a limit of %d tokens is sent as %d, and reported where it differs', (asked, sent, approximated) => {
  const losses = createLossReport();
  const call = encodeRequest(buildRequest({ maxOutputTokens: asked }), { family: 'openai', target: buildTarget('gpt-x'), losses });
  expect([(JSON.parse(call.body) as { max_output_tokens: number }).max_output_tokens, [...losses.approximated]]).toEqual([
    sent,
    approximated,
  ]);
});
