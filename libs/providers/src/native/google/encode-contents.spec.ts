import { createLossReport, type ChatTurn } from '@weir/canonical';
import { buildTarget } from '../../__fixtures__/build-target';
import { encodeContents } from './encode-contents';

const result = (text: string) => ({ type: 'tool-result' as const, toolCallId: '1', content: [{ type: 'text' as const, text }] });

/** The calls and results that the provider is sent for these. */
function encode(argumentsText: string, results: readonly string[]): unknown {
  const turns: ChatTurn[] = [
    { role: 'user', content: [{ type: 'text', text: 'q' }] },
    { role: 'assistant', content: [{ type: 'tool-call', id: '1', name: 'f', kind: 'function', argumentsText }] },
    { role: 'tool', content: results.map(result) },
  ];
  const { contents } = encodeContents(turns, { family: 'google', target: buildTarget('gemini-3-flash'), losses: createLossReport() });
  const parts = contents.flatMap(
    (content) => content['parts'] as { functionCall?: { args: unknown }; functionResponse?: { response: unknown } }[],
  );
  return parts.slice(1).map(({ functionCall, functionResponse }) => functionCall?.args ?? functionResponse?.response);
}

it('says a result as text that holds a reference, which is one to media here', () => {
  const schema = '{"schema":{"items":[{"$ref" : "#/a"}]}}';
  expect(encode('{"a":1}', [schema, '{"a":"\\"$ref\\":"}', '{"ref":1}'])).toEqual([
    { a: 1 },
    { output: schema },
    { a: '"$ref":' },
    { ref: 1 },
  ]);
});

it('makes no half characters of escapes in the caller’s own JSON', () => {
  expect(encode('{"a":"\\ud83d \\\\ud83d"}', ['{"a":"\\uD83D\\uDE00\\uD83D"}'])).toEqual([{ a: '\ufffd \\ud83d' }, { a: '😀\ufffd' }]);
});
