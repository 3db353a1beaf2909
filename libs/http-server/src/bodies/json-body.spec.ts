import { createOriginalBody, editBody, editOriginal, isUnreadText, mayHoldWord, readMember, type OriginalBody } from '@weir/canonical';
import fc from 'fast-check';
import { LONG_TEXT_BYTES } from '../json/scan-json';
import { parseJsonBody, readJsonBody } from './parse-json-body';

const LONG = 'x'.repeat(LONG_TEXT_BYTES);

describe('the JSON body of a request', () => {
  const space = fc.constantFrom('', ' ', '\n\t', ' \r\n ');
  const long = fc.constantFrom(
    LONG,
    `${'\\n'.repeat(LONG_TEXT_BYTES)}\\ud83d`,
    `é"\\`.repeat(LONG_TEXT_BYTES),
    'ü'.repeat(LONG_TEXT_BYTES),
  );
  const content = fc.oneof(fc.string({ unit: 'binary' }), long);
  const value = fc.oneof(
    fc.jsonValue(),
    fc.array(fc.record({ role: fc.string(), content, text: content }), { maxLength: 2 }),
    fc.record({ content }),
  );
  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom('model', 'messages', 'content', 'text', '1', '__proto__'),
  );
  const members = fc.uniqueArray(fc.tuple(name, value, space, space), { selector: ([each]) => each, maxLength: 5 });
  /** With every sign beyond letters as an escape, or not. */
  const write = (each: unknown, isEscaped: boolean): string => {
    const text = JSON.stringify(each);
    return isEscaped ? text.replace(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`) : text;
  };

  it('is, in bytes, the same object with the same members as its text', async () => {
    await fc.assert(
      fc.asyncProperty(members, fc.boolean(), async (listed, isEscaped) => {
        const written = listed.map(
          ([each, held, before, after]) => `${before}${write(each, isEscaped)}${after}:${before}${write(held, isEscaped)}${after}`,
        );
        const text = ` {${written.join(',')}} `;
        const body = await readJsonBody(Buffer.from(text));
        const expected = createOriginalBody(text) as OriginalBody;
        const original = body.original as OriginalBody;

        expect(original.members.map((member) => member.name)).toEqual(expected.members.map((member) => member.name));
        for (const [each] of listed) expect(readMember(original, each)).toBe(readMember(expected, each));
        for (const edit of [
          { set: new Map<string, string>(), remove: new Set<string>() },
          { set: new Map([['model', '"ü"']]), remove: new Set(['text', '1']) },
          {
            set: new Map<string, string>([['a', '1'], ...listed.slice(1, 2).map(([each]) => [each, '[2]'] as const)]),
            remove: new Set(listed.slice(0, 1).map(([each]) => each)),
          },
        ]) {
          expect(editOriginal(original, edit).toString()).toBe(editBody(expected, edit));
          expect(editBody(original, edit)).toBe(editBody(expected, edit));
        }
        expect(JSON.stringify(body.json)).toBe(JSON.stringify(JSON.parse(text)));
        expect(body.text).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  it('makes a long text when it is asked for, once, and copies of its object hold it', () => {
    const { json } = parseJsonBody(Buffer.from(`{"messages":[{"role":"user","content":"${LONG}\\n"},{"content":"short"}]}`));
    const [first, second] = json['messages'] as [Record<string, unknown>, object];

    expect([isUnreadText(first, 'content'), isUnreadText(first, 'role'), isUnreadText(second, 'content')]).toEqual([true, false, false]);
    expect(Object.keys(first)).toEqual(['role', 'content']);
    expect(isUnreadText(first, 'content')).toBe(true);
    expect({ ...first }).toEqual({ role: 'user', content: `${LONG}\n` });
    expect(isUnreadText(first, 'content')).toBe(false);
    expect(first['content']).toBe(`${LONG}\n`);
  });

  it('leaves no long text out of the search for short ones but the text itself', () => {
    const { original } = parseJsonBody(Buffer.from(`{"tools":[{"type":"web_search"}],"messages":[{"content":"${LONG}"}]}`));

    expect(original?.outline).toBe('{"tools":[{"type":"web_search"}],"messages":[{"content":"-"}]}');
  });

  it('looks for no word that cannot be a value in it', () => {
    const { original } = parseJsonBody(Buffer.from('{"messages":[{"role":"user","content":"x"}],"developer":1}'));

    expect(original?.outline).toContain('"developer"');
    expect(mayHoldWord(original as OriginalBody, 'developer')).toBe(false);
    expect(mayHoldWord(original as OriginalBody, 'user')).toBe(true);
  });

  it('finds every word that is a value of its own', () => {
    const words = fc.array(fc.stringMatching(/^[a-z_]{1,15}$/), { maxLength: 6 });
    fc.assert(
      fc.property(words, (listed) => {
        const { original } = parseJsonBody(Buffer.from(JSON.stringify({ content: listed })));
        for (const word of listed) expect(mayHoldWord(original as OriginalBody, word)).toBe(true);
      }),
    );
  });

  it.each([
    ['in the arguments of a call', `{"messages":[{"x":[{"arguments":{"text":"${LONG}"}}]}]}`],
    ['of a member that is looked at', `{"model":"${LONG}"}`],
    ['in a list', `{"content":["${LONG}"]}`],
  ])('makes one %s at once', (_, text) => {
    expect(parseJsonBody(Buffer.from(text)).original?.outline).toBe(text);
  });

  it('refuses what the parser refuses, at the same place', async () => {
    const wrong = fc.constantFrom('\n', '\u0000', '\u001f', '\\x', '\\u12g4', '\\u12', '\\U0041', '\\ ', '');
    const after = fc.constantFrom('', '}', ',', '"', '\\', '\\"');
    await fc.assert(
      fc.asyncProperty(wrong, after, fc.nat(40), fc.nat(40), async (sign, end, before, behind) => {
        const text = `{"a":1,"messages":[{"content":"${LONG}${'y'.repeat(before)}${sign}${'z'.repeat(behind)}"}]${end}}`;
        const reported = await Promise.resolve()
          .then(() => readJsonBody(Buffer.from(text)))
          .then(({ json }) => json)
          .catch((error: Error) => (error.cause as Error).message);
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch (error) {
          expected = (error as Error).message;
        }
        expect(reported).toEqual(expected);
      }),
    );
  });
});
