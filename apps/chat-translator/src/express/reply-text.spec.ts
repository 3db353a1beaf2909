import { createOriginalBody, readMember, replaceMember, type OriginalBody } from '@weir/canonical';
import fc from 'fast-check';
import { readReplyText } from './reply-text';

describe('the usage in the text of a reply', () => {
  const space = fc.constantFrom('', ' ', '\n\t');
  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }).map((each) => JSON.stringify(each)),
    fc.constantFrom('"usage"', '"usag\\u0065"', '"usagE"', '"usage_"', '"usag"', '"\\u0075sage"', '"a\\\\"', '"\\""'),
  );
  const members = fc.array(fc.tuple(name, fc.jsonValue(), space, space), { maxLength: 6 });

  it('is the same as of a body whose members are all known', () => {
    fc.assert(
      fc.property(members, space, (listed, around) => {
        const written = listed.map(([each, value, before, after]) => `${before}${each}${after}:${before}${JSON.stringify(value)}${after}`);
        const text = `${around}{${written.join(',')}}${around}`;
        const body = createOriginalBody(text) as OriginalBody;
        const reply = readReplyText(text);

        expect(reply?.usage).toBe(readMember(body, 'usage'));
        expect(reply?.withUsage('{"x":1}')).toBe(replaceMember(body, 'usage', '{"x":1}'));
      }),
    );
  });

  it.each(['[{"usage":1}]', '"usage"', '1', ' null'])('is not looked for in %s', (text) => {
    expect(readReplyText(text)).toBeUndefined();
  });
});
