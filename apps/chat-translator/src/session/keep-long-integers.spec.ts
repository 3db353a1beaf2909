import { stringifyExactJson } from '@weir/canonical';
import { wireFormats } from '@weir/wire-formats';
import { keepLongIntegers } from './keep-long-integers';

const LONG = '9223372036854775807';

const bodyOf = (text: string) => ({ text, json: JSON.parse(text) as Record<string, unknown> });

it('keeps integers of 64 bits in arguments and schemas, and leaves numbers that are computed with', () => {
  const text = `{"model":"m","max_tokens":5,"seed":${LONG},"tools":[{"name":"f","input_schema":{"maximum":${LONG}}}],"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{"id":-${LONG}}}]}]}`;
  const kept = keepLongIntegers(bodyOf(text));
  const asked = wireFormats.messages.decodeRequest(kept);

  expect(stringifyExactJson(asked.tools)).toContain(`"maximum":${LONG}`);
  expect(asked.turns).toMatchObject([{ content: [{ argumentsText: `{"id":-${LONG}}` }] }]);
  expect(typeof kept['seed']).toBe('number');
});

it('does not look twice at a body without any', () => {
  const body = bodyOf('{"model":"m"}');

  expect(keepLongIntegers(body)).toBe(body.json);
});
