import fc from 'fast-check';
import { canonicalJson } from './canonical-json';
import { fingerprintJson, fingerprintLongJson } from './fingerprint-json';

const NONE: ReadonlySet<string> = new Set();
const OWN: ReadonlySet<string> = new Set(['weir']);
const LONG = 'x'.repeat(600_000);

const FORMS: readonly (readonly [string, (text: string, leftOut?: ReadonlySet<string>) => string | Promise<string>])[] = [
  ['short', (text, leftOut = NONE) => fingerprintJson(text, leftOut)],
  ['long', (text, leftOut = NONE) => fingerprintLongJson(text, leftOut)],
];

describe.each(FORMS)('the fingerprint of a %s text', (_, fingerprint) => {
  it('is the same in whatever order members are, however it is spaced and escaped, and for equal numbers', async () => {
    const one = '{"a":1,"b":[{"c":"x","d":null},true],"m":{"1":0.5}, "weir":{"tags":["x"]}}';
    const other = ' {\n"m":{ "1" : 5e-1 } ,"b":[{"d":null,"\\u0063":"\\u0078"},true],"weir":1,"a":1.0}';
    expect(await fingerprint(other, OWN)).toBe(await fingerprint(one, OWN));
    expect(await fingerprint('{"a":{"weir":1}}', OWN)).not.toBe(await fingerprint('{"a":{}}', OWN));
  });

  it('is another for texts that differ in anything, by one digit too', async () => {
    const texts = [
      ...['{}', '[]', '""', 'null', 'false', '0', '"0"', '["0"]', '[0]', '[[],[]]', '[[[]]]', '{"a":"b"}', '{"a\\"":"b"}'],
      ...['["a","b"]', '["a,b"]', '["ab"]', '"\\ud83d"', '"\\ude00"', '"\\ufffd"', '"😀"'],
      ...['{"seed":9007199254740993}', '{"seed":9007199254740992}', '{"seed":"9007199254740993"}', '{"seed":-9007199254740993}'],
      ...['{"user_id":12345678901234567890}', '{"user_id":12345678901234567891}', '[1e400]', '[1e401]', '[1e-400]', '[0.1]'],
      ...['[0.1000000000000000055]', '[0.1000000000000000056]', '{"a":1,"a":2}', '{"a":2,"a":1}', '{"a":2}', '{"__proto__":1}'],
      ...[`"${LONG}"`, `"${LONG}x"`, `["${LONG}",1]`, `["${LONG}",2]`, `{"a":["${LONG}","${LONG}"]}`, `{"a":["${LONG}","${LONG}y"]}`],
    ];
    const made = await Promise.all(texts.map(async (text) => fingerprint(text)));
    expect(texts.filter((text, index) => made.indexOf(made[index] as string) !== index)).toEqual([]);
  });
});

it('is, for a short text that a double holds, what it was before: a response that is kept is found again', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (text) => {
      const numbered = /"\d+":/.test(text); // such members come first in an object, and where they stand in a text
      if (!numbered) expect(fingerprintJson(text, NONE)).toBe(canonicalJson(JSON.parse(text)));
    }),
  );
});

it('lets others have their turn, and stays short', async () => {
  let turns = 0;
  let isOver = false;
  const others = (): void => {
    turns += 1;
    if (!isOver) setImmediate(others);
  };
  setImmediate(others);
  const many = `[${Array.from({ length: 100_000 }, (_, index) => `{"index":${index}}`).join(',')}]`;
  expect((await fingerprintLongJson(many, NONE)).length).toBeLessThan(100);
  isOver = true;
  expect(turns).toBeGreaterThan(3);
});
