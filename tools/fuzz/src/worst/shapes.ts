/** JSON text of about `bytes`: members of a request, without its braces. */
type Fill = (bytes: number, host: Host) => string;

/** For the members around what fills a body. */
const AROUND_BYTES = 512;

/** How an endpoint takes text and turns. */
export type Host = {
  /** Members every request of it has, but what holds the content. */
  readonly base: Readonly<Record<string, unknown>>;
  /** The member that holds turns or texts. */
  readonly content: 'messages' | 'input' | 'prompt';
};

type Shape = { readonly name: string; readonly fill: Fill };

function repeat(one: string, bytes: number): string {
  return one.repeat(Math.max(1, Math.floor(bytes / one.length)));
}

/** `make` gives the n-th element; ends with no comma. */
function list(bytes: number, make: (index: number) => string): string {
  const parts: string[] = [];
  for (let size = 0, index = 0; size < bytes; index += 1) {
    const part = make(index);
    parts.push(part);
    size += part.length + 1;
  }
  return parts.join(',');
}

function say(host: Host, text: string): string {
  return host.content === 'messages' ? `"messages":[{"role":"user","content":${text}}]` : `"${host.content}":${text}`;
}

function turns(host: Host, inside: string): string {
  return host.content === 'prompt' ? `"prompt":[${inside}]` : `"${host.content}":[${inside}]`;
}

function text(name: string, one: string): Shape {
  return { name: `string of ${name}`, fill: (bytes, host) => say(host, `"${repeat(one, bytes)}"`) };
}

/** In a turn. */
function parts(name: string, make: (index: number) => string): Shape {
  return {
    name: `parts: ${name}`,
    fill: (bytes, host) =>
      host.content === 'messages' ? say(host, `[${list(bytes, make)}]`) : turns(host, `{"role":"user","content":[${list(bytes, make)}]}`),
  };
}

function turn(name: string, make: (index: number) => string): Shape {
  return { name: `turns: ${name}`, fill: (bytes, host) => turns(host, list(bytes, make)) };
}

/** In a member that no one knows. */
function beside(name: string, make: (bytes: number) => string): Shape {
  return { name: `beside: ${name}`, fill: (bytes, host) => `${say(host, '"hi"')},${make(bytes)}` };
}

const LONG_NUMBER = '1.7976931348623157e+292';
const PICTURE = `data:image/png;base64,${Buffer.alloc(60, 7).toString('base64')}`;

/** Everything that has ever been slow, and what is like it. */
export const SHAPES: readonly Shape[] = [
  beside('unknown members', (bytes) => list(bytes, (index) => `"m${index}":1`)),
  beside('members of numbers, falling', (bytes) => list(bytes, (index) => `"${4_000_000_000 - index * 7}":1`)),
  beside('members in one', (bytes) => `"unknown":{${list(bytes, (index) => `"m${index}":1`)}}`),
  beside('members of metadata', (bytes) => `"metadata":{${list(bytes, (index) => `"m${index}":"x"`)}}`),
  beside('members of weir.extra', (bytes) => `"weir":{"extra":{${list(bytes, (index) => `"m${index}":"x"`)}}}`),
  beside('one member, doubled', (bytes) => list(bytes, () => '"m":1')),
  beside('empty names, doubled', (bytes) => `"unknown":{${list(bytes, () => '"":0')}}`),
  beside('escaped names', (bytes) => `"unknown":{${list(bytes, (index) => `"\\u006d${index}":1`)}}`),
  beside('long names', (bytes) => list(bytes, (index) => `"${String(index).padEnd(20_000, 'n')}":1`)),
  beside('one long name', (bytes) => `"${'n'.repeat(bytes)}":1`),
  beside('one long name of escapes', (bytes) => `"${repeat('\\u006e', bytes)}":1`),
  beside('empty lists', (bytes) => `"unknown":[${list(bytes, () => '[]')}]`),
  beside('empty objects', (bytes) => `"unknown":[${list(bytes, () => '{}')}]`),
  beside('objects of one member', (bytes) => `"unknown":[${list(bytes, () => '{"a":0}')}]`),
  beside('objects, no two alike', (bytes) => `"unknown":[${list(bytes, (index) => `{"k${index}":0}`)}]`),
  beside('deep lists', (bytes) => `"unknown":[${list(bytes, () => '['.repeat(60) + ']'.repeat(60))}]`),
  beside('deep objects', (bytes) => `"unknown":[${list(bytes, () => '{"a":'.repeat(30) + '0' + '}'.repeat(30))}]`),
  beside('digits', (bytes) => `"unknown":[${list(bytes, () => '1')}]`),
  beside('numbers', (bytes) => `"unknown":[${list(bytes, () => LONG_NUMBER)}]`),
  beside('long integers', (bytes) => `"unknown":[${list(bytes, () => '12345678901234567891')}]`),
  beside('one long number', (bytes) => `"unknown":${'7'.repeat(bytes)}`),
  beside('one long fraction', (bytes) => `"unknown":0.${'7'.repeat(bytes)}`),
  beside('words', (bytes) => `"unknown":[${list(bytes, () => 'null')}]`),
  beside('empty strings', (bytes) => `"unknown":[${list(bytes, () => '""')}]`),
  beside('strings', (bytes) => `"unknown":[${list(bytes, (index) => `"s${index}"`)}]`),
  beside('white space', (bytes) => `"unknown":${repeat(' \n\t\r', bytes)}1`),
  beside('white space and digits', (bytes) => `"unknown":[${list(bytes, () => `1${' '.repeat(500)}`)}]`),
  beside('tools', (bytes) => `"tools":[${list(bytes, (index) => tool(index))}]`),
  beside(
    'a schema',
    (bytes) =>
      `"tools":[{"type":"function","name":"f","input_schema":{"type":"object","properties":{${schema(bytes)}}},"function":{"name":"f","parameters":{"type":"object","properties":{${schema(bytes)}}}}}]`,
  ),
  beside('hosted tools', (bytes) => `"tools":[${list(bytes, () => '{"type":"web_search"}')}]`),
  beside(
    'stop sequences',
    (bytes) => `"stop":[${list(bytes, (index) => `"s${index}"`)}],"stop_sequences":[${list(10, (index) => `"s${index}"`)}]`,
  ),
  beside('logit bias', (bytes) => `"logit_bias":{${list(bytes, (index) => `"${index}":1`)}}`),
  beside('system parts', (bytes) => `"system":[${list(bytes, () => '{"type":"text","text":"x"}')}],"instructions":"x"`),
  text('letters', 'the quick brown fox '),
  text('one letter', 'a'),
  text('spaces', ' '),
  text('digits', '7'),
  text('digits and spaces', '4111 1111 1111 1112 '),
  text('signs', '@.-_'),
  text('mail addresses', 'a@b.example '),
  text('base64', 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldY'),
  text('escaped quotes', '\\"'),
  text('escaped backslashes', '\\\\'),
  text('escaped ends of lines', '\\n'),
  text('escaped codes', '\\u00e9'),
  text('lone halves', '\\ud800'),
  text('two-byte signs', 'é'),
  text('three-byte signs', '漢'),
  text('emoji', '😀'),
  text('letters and one sign', `${'letters '.repeat(500)}漢`),
  text('state of others', 'gw1:'),
  text('a data address', PICTURE),
  turn('users', () => '{"role":"user","content":"x"}'),
  turn('empty', () => '{"role":"user","content":""}'),
  turn('of both', (index) => `{"role":"${index % 2 === 0 ? 'user' : 'assistant'}","content":"x"}`),
  turn('of all members', (index) => `{"role":"user","content":"x","name":"n","type":"message","id":"m${index}"}`),
  turn('of parts', () => '{"role":"user","content":[{"type":"text","text":"x"}]}'),
  turn(
    'calls',
    (index) =>
      `{"role":"assistant","content":null,"tool_calls":[{"id":"c${index}","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c${index}","content":"x"}`,
  ),
  turn(
    'items of calls',
    (index) =>
      `{"type":"function_call","call_id":"c${index}","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c${index}","output":"x"}`,
  ),
  turn(
    'uses of tools',
    (index) =>
      `{"role":"assistant","content":[{"type":"tool_use","id":"c${index}","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c${index}","content":"x"}]}`,
  ),
  turn(
    'thoughts',
    () =>
      '{"role":"assistant","content":[{"type":"thinking","thinking":"x","signature":"gw1:x"},{"type":"text","text":"x"}]},{"role":"user","content":"x"}',
  ),
  turn('items of thoughts', () => '{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gw1:x"}'),
  turn('lists', () => '[]'),
  turn('tokens', () => '11'),
  turn('lists of tokens', () => `[${'11,'.repeat(2000)}1]`),
  turn('strings', () => '"x"'),
  parts('texts', () => '{"type":"text","text":"x"}'),
  parts('input texts', () => '{"type":"input_text","text":"x"}'),
  parts('little pictures', () => `{"type":"image_url","image_url":{"url":"${PICTURE}"}}`),
  parts('little pictures of messages', () => `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}`),
  parts('addresses', (index) => `{"type":"image_url","image_url":{"url":"https://pictures.example/${index}.png"}}`),
  {
    name: 'parts: one large picture',
    fill: (bytes, host) =>
      host.content === 'input'
        ? turns(host, `{"role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,${repeat('QUJD', bytes)}"}]}`)
        : say(host, `[{"type":"image_url","image_url":{"url":"data:image/png;base64,${repeat('QUJD', bytes)}"}}]`),
  },
  {
    name: 'parts: one large picture of messages',
    fill: (bytes, host) =>
      say(host, `[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${repeat('QUJD', bytes)}"}}]`),
  },
  {
    name: 'images: one large data address',
    fill: (bytes, host) => `${say(host, '"hi"')},"images":[{"image_url":"data:image/png;base64,${repeat('QUJD', bytes)}"}]`,
  },
  {
    name: 'images: little ones',
    fill: (bytes, host) => `${say(host, '"hi"')},"images":[${list(bytes, () => `{"image_url":"${PICTURE}"}`)}]`,
  },
];

function tool(index: number): string {
  const parameters = '{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}';
  return `{"type":"function","name":"f${index}","input_schema":${parameters},"function":{"name":"f${index}","parameters":${parameters}}}`;
}

function schema(bytes: number): string {
  return list(bytes / 2, (index) => `"p${index}":{"type":"string","description":"x"}`);
}

/** Makes bodies of one shape and about one size; what fills them is made once for hosts that are alike. */
export function createBodyMaker({ fill }: Shape, bytes: number): (host: Host) => Buffer {
  const filled = new Map<Host['content'], string>();
  return (host) => {
    const content = filled.get(host.content) ?? fill(Math.max(0, bytes - AROUND_BYTES), host);
    filled.set(host.content, content);
    const base = JSON.stringify(host.base).slice(1, -1);
    return Buffer.from(`{${base}${base === '' ? '' : ','}${content}}`);
  };
}
