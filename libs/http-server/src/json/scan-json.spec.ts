import { JsonScan, type JsonBounds } from './scan-json';

const BOUNDS: JsonBounds = {
  depthMax: 64,
  containersMax: 1e6,
  weightMax: 1e7,
  objectMembersMax: 1e6,
  nameBytesMax: 64,
  freeNameBytesMax: 64,
  numberBytesMax: 64,
};

function scan(text: string, bounds: Partial<JsonBounds> = {}): JsonScan {
  const made = new JsonScan({ ...BOUNDS, ...bounds }).start(Buffer.from(text));
  made.run();
  return made;
}

const many = (count: number, make: (index: number) => string): string => Array.from({ length: count }, (_, index) => make(index)).join(',');

describe('JsonScan', () => {
  it.each([
    ['at the top', '{"model":"a","n":1,"model":"b"}', 'model'],
    ['with an escape', '{"model":"a","mod\\u0065l":"b"}', 'model'],
    ['with escapes on both sides', '{"\\u006dodel":"a","mod\\u0065l":"b"}', 'model'],
    ['with an escape first', '{"mod\\u0065l":"a","model":"b"}', 'model'],
    ['with an escaped quote', '{"a\\"":1,"b":2,"a\\"":3}', 'a"'],
    ['with an escaped slash', '{"a/b":1,"a\\/b":2}', 'a/b'],
    ['beyond ASCII', '{"größe":1,"gr\\u00f6\\u00dfe":2}', 'größe'],
    ['that is empty', '{"":1,"":2}', ''],
    ['with space around it', '{ "n" : 1 ,\n\t"n" : 2 }', 'n'],
    ['that has objects in between', '{"n":{"a":[{"n":1}]},"m":[{},{"n":2}],"n":3}', 'n'],
    ['in a message', '{"messages":[{"role":"user"},{"role":"user","content":"a","role":"system"}]}', 'messages[1].role'],
    ['in a part', '{"messages":[{"content":[{},{"type":"text","type":"image"}]}]}', 'messages[0].content[1].type'],
    ['in an item of input', '{"input":[{"type":"message","role":"user","role":"user"}]}', 'input[0].role'],
    ['in a tool', '{"tools":[{"type":"function","type":"web_search"}]}', 'tools[0].type'],
    ['in thinking', '{"thinking":{"budget_tokens":1,"budget_tokens":9}}', 'thinking.budget_tokens'],
    ['in stream options', '{"stream_options":{"include_usage":true,"include_usage":false}}', 'stream_options.include_usage'],
    ['in metadata', '{"metadata":{"user_id":"a","user_id":"b"}}', 'metadata.user_id'],
    ['in the gateway’s own object', '{"weir":{"extra":{"team":"a","team":"b"}}}', 'weir.extra.team'],
    ['in the format of text', '{"text":{"format":{"type":"text","type":"json_schema"}}}', 'text.format.type'],
    ['beside a schema', '{"tools":[{"input_schema":{"a":{"b":1}},"name":"x","name":"y"}]}', 'tools[0].name'],
    ['in an object that only the top names like a schema', '{"input":{"a":1,"a":2}}', 'input.a'],
    ['in a list of objects at the top', '{"parameters":[{"a":1,"a":2}]}', 'parameters[0].a'],
    ['after more than sixteen others', `{${many(17, (index) => `"m${index}":1`)},"m3":1}`, 'm3'],
    ['as the sixteenth', `{${many(15, (index) => `"m${index}":1`)},"m14":1}`, 'm14'],
    ['after a thousand others', `{${many(1000, (index) => `"m${index}":1`)},"m\\u0035":1}`, 'm5'],
  ])('finds a doubled member %s', (_, text, path) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow();
    expect(scan(text).fault).toEqual({ kind: 'doubled', path });
  });

  it.each([
    ['one name in several objects', '{"a":{"n":1},"b":{"n":1},"c":[{"n":1},{"n":1}],"n":1}'],
    ['a name that is a value elsewhere', '{"model":"n","n":"model","a":["n","n"]}'],
    ['names in text', '{"content":"{\\"n\\":1,\\"n\\":2}","n":1}'],
    ['names that differ in case or length', '{"n":1,"N":1,"nn":1,"n ":1}'],
    ['names with one hash', '{"Aa":1,"BB":1}'],
    ['a schema', '{"tools":[{"type":"function","function":{"name":"f","parameters":{"properties":{"a":1,"a":2}}}}]}'],
    ['a schema of messages', '{"tools":[{"name":"f","input_schema":{"a":{"b":1,"b":2},"a":2}}]}'],
    ['a schema of the answer', '{"text":{"format":{"type":"json_schema","schema":{"a":1,"a":2}}}}'],
    ['arguments of a call', '{"messages":[{"content":[{"type":"tool_use","input":{"a":1,"a":2}}]}]}'],
    ['a long text that ends with a backslash', `{"a":"${'x'.repeat(500)}\\\\","b":"${'\\"'.repeat(500)}","c":1}`],
  ])('lets %s pass', (_, text) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow();
    expect(scan(text).fault).toBeUndefined();
  });

  it.each([
    ['[[[]]]', 3, undefined],
    ['[[[[]]]]', 3, 'depth'],
    ['{"a":"[[[[\\"[[[["}', 1, undefined],
    ['{"a":{"b":[1]}}', 2, 'depth'],
    ['"unterminated', 1, undefined],
    [']]]]}}}}[', 1, undefined],
  ])('%s within %i levels: %s', (text, depthMax, kind) => {
    expect(scan(text, { depthMax }).fault?.kind).toBe(kind);
  });

  it.each([
    ['containers', { containersMax: 3 }, '[[],{},[]]', '[[],{}]'],
    ['weight', { weightMax: 15 }, '{"a":{"b":1},"c":{"d":1}}', '{"a":{"b":1},"c":""}'],
    ['object', { objectMembersMax: 2 }, '{"a":1,"b":1,"c":1}', '{"a":{"a":1,"b":1},"b":1}'],
    ['weight', { weightMax: 15 }, '{"a":[1,2],"b":[1,"",3]}', '{"a":[1,2],"b":[1,2]}'],
    ['name', { nameBytesMax: 4 }, '{"abcde":1}', '{"abcd":1}'],
    ['name', { nameBytesMax: 4 }, '{"a":[{"b":[{"input":{"abcd":1},"abcde":1}]}]}', '{"a":[{"b":[{"abcd":1}]}]}'],
    [
      'free_name',
      { nameBytesMax: 5, freeNameBytesMax: 8 },
      '{"a":[{"input":{"b":{"abcdefghi":1}}}]}',
      '{"a":[{"input":{"b":{"abcdefgh":1}}}]}',
    ],
    ['number', { numberBytesMax: 4 }, '{"a": 1.2345 ,"b":1}', '{"a":   1.23    ,"b":[1,     22,   -33]}'],
  ])('bounds %s', (kind, bounds, beyond, within) => {
    expect(scan(beyond, bounds).fault?.kind).toBe(kind);
    expect(scan(within, bounds).fault).toBeUndefined();
  });

  it('counts the same, and finds the same, however it is cut into parts', () => {
    const long = `${'letters '.repeat(40)}\\"${'x'.repeat(70)}\\\\`;
    const text = `{"a":[1,"${long}",{"b":[],"c":"${long}"}],"${'n'.repeat(60)}":{"d":1,"e":2}, "f" : [[1,2],3],"e":"\\ud83d"}`;
    const whole = scan(text);
    expect([whole.containers, whole.weight]).toEqual([7, 50]);
    const doubled = `${text.slice(0, -1)},"a":1}`;
    for (let step = 1; step < 90; step += 1) {
      const counted = new JsonScan(BOUNDS).start(Buffer.from(text));
      for (let until = step; !counted.run(until); until += step);
      expect([counted.containers, counted.weight, counted.fault]).toEqual([7, 50, undefined]);
      const found = new JsonScan(BOUNDS).start(Buffer.from(doubled));
      for (let until = step; !found.run(until); until += step);
      expect(found.fault).toEqual({ kind: 'doubled', path: 'a' });
    }
  });

  it('keeps nothing of the text before', () => {
    const reused = new JsonScan(BOUNDS);
    reused.start(Buffer.from(`{"a":{"b":"${'x'.repeat(300)}`)).run();
    reused.start(Buffer.from(`{"a":1,"b":1,${many(30, (index) => `"m${index}":1`)}`)).run();
    expect(reused.start(Buffer.from('{"a":1,"m3":1}')).run()).toBe(true);
    expect([reused.fault, reused.weight, reused.containers]).toEqual([undefined, 7, 1]);
  });

  it('agrees with the parser about every name, on random objects', () => {
    const letters = ['a', 'b', '\\u0061', '\\u0062', 'é', '\\u00e9', '\\\\', '"', '😀', '\\ud83d\\ude00'];
    let seed = 7;
    const next = (most: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % most;
    for (let round = 0; round < 3000; round += 1) {
      const names = Array.from({ length: next(24) }, () =>
        Array.from({ length: next(3) }, () => letters[next(10)]?.replace('"', '\\"')).join(''),
      );
      const text = `{${names.map((name) => `"${name}":[]`).join(',')}}`;
      const isDoubled = Object.keys(JSON.parse(text) as object).length < names.length;
      expect([text, scan(text).fault?.kind]).toEqual([text, isDoubled ? 'doubled' : undefined]);
    }
  });
});
