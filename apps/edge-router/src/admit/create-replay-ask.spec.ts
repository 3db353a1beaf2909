import { parseJsonBody, type ReceivedForm } from '@weir/http-server';
import { createReplayAsk } from './create-replay-ask';
import { readForm } from './read-form';
import type { RoutedRequest } from './routed-request';

const LONG = 'x'.repeat(300_000);

function fingerprintOf(parsed: RoutedRequest['parsed'], form?: ReceivedForm): Promise<string> {
  const inbound = { request: { headers: {} }, response: {}, scope: { id: 'r', endpoint: { id: 'messages' } } };
  const call = { ruling: { rules: {}, guardrails: {}, data: {} }, plan: { attempts: [] } };
  const principal = { key: { organizationId: 'o', apiKeyId: 'k' } };
  return Promise.resolve(createReplayAsk({ inbound, principal, parsed, call } as unknown as RoutedRequest, form).fingerprint());
}

const fingerprint = (text: string): Promise<string> => fingerprintOf(parseJsonBody(Buffer.from(text)));
const fingerprintForm = (fields: readonly (readonly [string, string])[]): Promise<string> => {
  const read = readForm({ fields: fields.map(([name, value]) => ({ name, value })), files: [], discard: () => Promise.resolve() });
  return fingerprintOf(read.parsed, read.form);
};

describe('what a stored response is found by', () => {
  it.each([
    [
      'an identifier in the input of a tool',
      '{"messages":[{"content":[{"type":"tool_use","input":{"user_id":12345678901234567890}}]}]}',
      '890}',
      '891}',
    ],
    ['a seed', '{"seed":9007199254740993}', '993', '992'],
    ['a decimal', '{"temperature":0.1000000000000000055}', '55}', '56}'],
    ['a member that stands twice', '{"messages":[{"input":{"a":1,"a":3}}]}', '1,', '2,'],
    ['an identifier in a long body', `{"a":"${LONG}","b":[{"id":12345678901234567890}]}`, '890}', '891}'],
    ['a long text', `{"a":"${LONG}y"}`, 'y"', 'z"'],
  ])('differs by %s', async (_, text, digit, other) => {
    expect(await fingerprint(text)).toBe(await fingerprint(` ${text} `));
    expect(await fingerprint(text.replace(digit, other))).not.toBe(await fingerprint(text));
  });

  it('is the same whatever the gateway’s own members say, and in whatever order members are', async () => {
    expect(await fingerprint('{"b":1,"weir":{"cache":60},"requesty":{},"a":2}')).toBe(await fingerprint('{"a":2,"b":1}'));
  });

  it('differs by every letter of a form, but not by the order of its fields', async () => {
    const one = await fingerprintForm([
      ['n', '1'],
      ['seed', '9007199254740993'],
      ['weir[tags]', 'x'],
    ]);
    expect(
      await fingerprintForm([
        ['seed', '9007199254740993'],
        ['n', '1'],
      ]),
    ).toBe(one);
    expect(
      await fingerprintForm([
        ['n', '1'],
        ['seed', '9007199254740992'],
      ]),
    ).not.toBe(one);
    expect(
      await fingerprintForm([
        ['n', '01'],
        ['seed', '9007199254740993'],
      ]),
    ).not.toBe(one);
  });
});
