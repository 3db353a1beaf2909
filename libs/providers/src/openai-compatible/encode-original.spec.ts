import { createOriginalBody, type OriginalBody } from '@weir/canonical';
import { buildTarget } from '../__fixtures__/build-target';
import { compatibleProvider, type CompatibleProvider } from './rules/compatible-provider.schema';
import { createEncodeOriginal } from './encode-original';
import type { ProviderTarget } from '../provider/target';

const entry = (more: object = {}): CompatibleProvider =>
  compatibleProvider.parse({
    id: 'acme',
    name: 'Acme',
    baseUrl: 'https://acme.example/v1',
    env: { apiKey: [], baseUrl: [] },
    endpoints: { chat: '/chat/completions' },
    ...more,
  });
const original = (text: string): OriginalBody => createOriginalBody(text) as OriginalBody;
const encode = (
  text: string,
  knobs: object = {},
  { stream = false, target = buildTarget() }: { stream?: boolean; target?: ProviderTarget } = {},
): string => createEncodeOriginal(entry(knobs))(original(text), target, stream).body.toString();

describe('encodeOriginal of a compatible provider', () => {
  it('changes the model, removes our own members, and leaves every other byte alone', () => {
    const text =
      '{ "seed": 12345678901234567890, "model":"acme/some-model",  "weir":{"tags":[]}, "requesty": {}, "x_unknown": [1.0, {"a" : 2}], "messages": [ {"role":"user","content":"h\\u00e9"} ] }';

    expect(encode(text)).toBe(
      '{"seed": 12345678901234567890,"model":"some-model","x_unknown": [1.0, {"a" : 2}],"messages": [ {"role":"user","content":"h\\u00e9"} ]}',
    );
  });

  it('adds the model when the caller left it out', () => {
    expect(JSON.parse(encode('{"messages":[]}'))).toEqual({ messages: [], model: 'some-model' });
  });

  it('asks streams for usage and keeps what the caller asked of them', () => {
    const asked = encode('{"stream":true,"stream_options":{"include_obfuscation":false}}', {}, { stream: true });

    expect(JSON.parse(asked)).toEqual({
      stream: true,
      model: 'some-model',
      stream_options: { include_obfuscation: false, include_usage: true },
    });
    expect(encode('{"stream":true,"stream_options":{ "include_usage" : true }}', {}, { stream: true })).toContain(
      '"stream_options":{ "include_usage" : true }',
    );
    expect(JSON.parse(encode('{"stream":true}', {}, { stream: true }))).toMatchObject({ stream_options: { include_usage: true } });
    expect(encode('{"stream":false}')).not.toContain('stream_options');
  });

  it.each(['always', 'never'])('does not ask a provider whose usage in streams is reported %s', (streamUsage) => {
    expect(encode('{"stream":true,"stream_options":{"include_usage":true}}', { streamUsage }, { stream: true })).not.toContain(
      'stream_options',
    );
  });

  it('renames, drops and defaults parameters by the entry, and more of them for reasoning models', () => {
    const knobs = {
      renameParams: { seed: 'random_seed' },
      dropParams: ['logit_bias'],
      defaults: { safe: true },
      reasoningModels: { renameParams: { max_tokens: 'max_completion_tokens' } },
    };
    const text = '{"seed":1,"logit_bias":{},"max_tokens":5}';

    expect(JSON.parse(encode(text, knobs))).toEqual({ model: 'some-model', max_tokens: 5, random_seed: 1, safe: true });
    const reasoning = encode(text, knobs, { target: buildTarget('some-model', { supportsReasoning: true }) });
    expect(JSON.parse(reasoning)).toMatchObject({ max_completion_tokens: 5, random_seed: 1 });
    expect(reasoning).not.toContain('max_tokens"');
  });

  it('says which members the provider would have refused, and of which nothing was lost', () => {
    const droppedOf = (text: string, knobs: object): unknown =>
      createEncodeOriginal(entry(knobs))(original(text), buildTarget(), false).dropped;
    const knobs = { dropParams: ['logit_bias', 'user', 'tools'], renameParams: { seed: 'random_seed' }, webSearch: 'always' };

    expect(droppedOf('{"logit_bias":{},"user":null,"seed":1,"weir":{}}', knobs)).toEqual(['logit_bias']);
    expect(droppedOf('{"seed":1}', knobs)).toBeUndefined();
    expect(droppedOf('{"tools":[{"type":"web_search"}]}', knobs)).toBeUndefined();
    expect(droppedOf('{"tools":[{"type":"web_search","filters":{"allowed_domains":["a.example"]}}]}', knobs)).toEqual([
      'web_search.filters',
    ]);
    const both = '{"tools":[{"type":"web_search"},{"type":"function","function":{"name":"f"}}]}';
    expect(droppedOf(both, knobs)).toEqual(['tools']);
    expect(encode(both, knobs)).toBe('{"model":"some-model"}');
  });

  it('lets the name the provider knows win when the caller sent both', () => {
    expect(
      JSON.parse(encode('{"max_completion_tokens":7,"max_tokens":5}', { renameParams: { max_completion_tokens: 'max_tokens' } })),
    ).toMatchObject({ max_tokens: 5 });
  });

  it('turns the developer role into system where the model does not know it', () => {
    const text = '{"messages":[{"role":"developer","content":"be brief"},{"role":"user","content":"say \\"developer\\""}]}';

    expect(JSON.parse(encode(text))).toMatchObject({ messages: [{ role: 'system' }, { role: 'user', content: 'say "developer"' }] });
    expect(encode(text, { developerRole: 'by-model' }, { target: buildTarget('m', { supportsDeveloperRole: true }) })).toContain(
      '"messages":[{"role":"developer","content":"be brief"}',
    );
  });

  it('does not touch messages that only mention the words it looks for', () => {
    const messages = '[ {"role":"user", "content":"what is \\"input_file\\" or \\"developer\\"?"} ]';
    expect(encode(`{"messages":${messages}}`)).toContain(messages);
  });

  it('rewrites the gateway’s file part into the provider’s', () => {
    const text =
      '{"messages":[{"role":"user","content":[{"type":"text","text":"a"},{"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,AA=="}]}]}';
    const partOf = (body: string): unknown => (JSON.parse(body) as { messages: { content: unknown[] }[] }).messages[0]?.content[1];

    expect(partOf(encode(text, { filePart: 'file' }))).toEqual({
      type: 'file',
      file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' },
    });
    expect(partOf(encode(text, { filePart: 'document-url' }))).toEqual({
      type: 'document_url',
      document_url: 'data:application/pdf;base64,AA==',
      document_name: 'a.pdf',
    });
    expect(() => encode(text)).toThrow(expect.objectContaining({ code: 'unsupported_field', status: 400 }));
  });

  it.each(['data:video/mp4;base64,AAAA', 'https://a.example/talk.MP4?x=1', 'https://www.youtube.com/watch?v=1'])(
    'knows a video that comes as a file: %s',
    (data) => {
      const body = (filename?: string): string =>
        JSON.stringify({ messages: [{ role: 'user', content: [{ type: 'input_file', file_data: data, filename }] }] });

      expect(encode(body(), { videoPart: 'video-url' })).toContain(`{"type":"video_url","video_url":{"url":${JSON.stringify(data)}}}`);
      expect(() => encode(body(), { filePart: 'file' })).toThrow(expect.objectContaining({ code: 'unsupported_field' }));
    },
  );

  it('knows a video by the name of its file, and a document behind an address', () => {
    const body = (filename: string, address: string): string =>
      `{"messages":[{"role":"user","content":[{"type":"input_file","filename":"${filename}","file_data":"${address}"}]}]}`;
    const knobs = { videoPart: 'video-url', filePart: 'file' };

    expect(encode(body('a.webm', 'https://a.example/1'), knobs)).toContain('"video_url"');
    expect(encode(body('a.pdf', 'https://a.example/1'), knobs)).toContain('"type":"file"');
  });

  it('translates the search tool where the provider can search, and refuses it elsewhere', () => {
    const text = '{"tools":[{"type":"web_search","search_context_size":"low"},{"type":"function","function":{"name":"f"}}]}';
    const alone = '{"tools":[{"type":"web_search"}],"tool_choice":"auto"}';

    expect(JSON.parse(encode(text, { webSearch: 'options' }, { target: buildTarget('gpt-search') }))).toEqual({
      model: 'gpt-search',
      tools: [{ type: 'function', function: { name: 'f' } }],
      web_search_options: { search_context_size: 'low' },
    });
    expect(JSON.parse(encode(alone, { webSearch: 'always' }))).toEqual({ model: 'some-model' });
    const target = buildTarget('m', { supportsWebSearch: true });
    expect(JSON.parse(encode(alone, { webSearch: 'plugin' }, { target }))).toEqual({ model: 'm', plugins: [{ id: 'web' }] });
    expect(() => encode(alone, { webSearch: 'plugin' })).toThrow(expect.objectContaining({ code: 'unsupported_field' }));
    expect(() => encode(alone)).toThrow(expect.objectContaining({ code: 'unsupported_field' }));
    expect(() => encode(alone, { webSearch: 'options' })).toThrow(expect.objectContaining({ code: 'unsupported_field' }));
  });

  it('does not search for who wants no tool used', () => {
    const text = '{"tools":[{"type":"web_search","search_context_size":"low"}],"tool_choice":"none"}';
    const of = (webSearch: string, name: string) => createEncodeOriginal(entry({ webSearch }))(original(text), buildTarget(name), false);

    expect(JSON.parse(of('plugin', 'm').body.toString())).toEqual({ model: 'm' });
    expect(JSON.parse(of('options', 'gpt-search').body.toString())).toEqual({ model: 'gpt-search' });
    expect(of('plugin', 'm').dropped).toBeUndefined();
  });

  it('searches only where the choice of tools leaves that open, and does not name the search to who knows it as no tool', () => {
    const tool = { type: 'function', function: { name: 'f' } };
    const search = { type: 'web_search' };
    const target = buildTarget('m', { supportsWebSearch: true });
    const encodeChoice = (choice: unknown): unknown => {
      const body = encode(JSON.stringify({ tools: [search, tool], tool_choice: choice }), { webSearch: 'plugin' }, { target });
      const { plugins, tool_choice: sent } = JSON.parse(body) as { plugins?: unknown; tool_choice: unknown };
      return [plugins !== undefined, sent];
    };
    const among = (...tools: object[]) => ({ type: 'allowed_tools', allowed_tools: { mode: 'auto', tools } });

    for (const choice of ['auto', 'required']) expect(encodeChoice(choice)).toEqual([true, choice]);
    for (const choice of ['none', tool, among(tool)]) expect(encodeChoice(choice)).toEqual([false, choice]);
    expect(encodeChoice(among(search, tool))).toEqual([true, among(tool)]);
    expect(encodeChoice(among(search))).toEqual([true, 'none']);
  });

  it('keeps integers of 64 bits in what it writes anew', () => {
    const long = '9223372036854775807';
    const tool = `{"type":"function","function":{"name":"f","parameters":{"maximum":${long}}}}`;
    const message = `{"role":"developer","content":"x","extra":${long}}`;

    expect(encode(`{"tools":[{"type":"web_search"},${tool}]}`, { webSearch: 'always' })).toContain(`"tools":[${tool}]`);
    expect(encode(`{"messages":[${message}]}`)).toContain(`"messages":[${message.replace('developer', 'system')}]`);
  });

  it('reports the settings of a search that it cannot encode where a plugin searches', () => {
    const asked = original('{"tools":[{"type":"web_search","search_context_size":"low","user_location":{"type":"approximate"}}]}');
    const droppedBy = (webSearch: string, name: string): unknown =>
      createEncodeOriginal(entry({ webSearch }))(asked, buildTarget(name, { supportsWebSearch: true }), false).dropped;

    expect(droppedBy('plugin', 'm')).toEqual(['search_context_size', 'user_location']);
    expect(droppedBy('always', 'm')).toEqual(['search_context_size', 'user_location']);
    expect(droppedBy('options', 'gpt-search')).toBeUndefined();
  });

  it('gives calls and results the ids a strict provider takes, the same on both sides', () => {
    const text = (id: string): string =>
      `{"messages":[{"role":"assistant","tool_calls":[{"id":"${id}","type":"function"}]},{"role":"tool","tool_call_id":"${id}","content":"ok"}]}`;
    const idsOf = (body: string): unknown[] => body.match(/"(?:tool_call_)?id":"[^"]+"/g)?.map((found) => found.split(':')[1]) ?? [];
    const [call, result] = idsOf(encode(text('call_abc'), { toolCallIds: 'nine-alphanumerics' }));

    expect(call).toMatch(/^"[A-Za-z0-9]{9}"$/);
    expect(result).toBe(call);
    expect(idsOf(encode(text('abcDEF123'), { toolCallIds: 'nine-alphanumerics' }))).toEqual(['"abcDEF123"', '"abcDEF123"']);
    expect(idsOf(encode(text('call_abc')))).toEqual(['"call_abc"', '"call_abc"']);
    const long = `chatcmpl-tool-${'0'.repeat(32)}`;
    const [shortened, answered] = idsOf(encode(text(long), { toolCallIds: 'forty-characters' }));
    expect(shortened).toMatch(/^"call_[0-9a-f]{32}"$/);
    expect(answered).toBe(shortened);
    expect(encode(text('call_abc'), { toolCallIds: 'forty-characters' })).toContain(text('call_abc').slice(1, -1));
  });

  it('names a call the same in the state that belongs to it', () => {
    const long = `tool_0_${'a'.repeat(40)}`;
    const message = {
      role: 'assistant',
      reasoning_details: [
        { type: 'reasoning.encrypted', id: long, data: 's' },
        { type: 'reasoning.text', id: 'r'.repeat(50) },
      ],
      tool_calls: [{ id: long }],
    };
    const { messages } = JSON.parse(encode(JSON.stringify({ messages: [message] }), { toolCallIds: 'forty-characters' })) as {
      messages: [{ reasoning_details: { id: string }[]; tool_calls: { id: string }[] }];
    };
    const [{ reasoning_details: details, tool_calls: calls }] = messages;
    expect(calls[0]?.id).toMatch(/^call_/);
    expect(details.map(({ id }) => id)).toEqual([calls[0]?.id, 'r'.repeat(50)]);
  });

  it.each([
    ['minimal', '"high"', ['reasoning_effort']],
    ['xhigh', '"high"', ['reasoning_effort']],
    ['none', '"none"', undefined],
    ['brisk', '"brisk"', undefined],
  ])('sends the nearest effort a provider knows for %s', (effort, sent, approximated) => {
    const call = createEncodeOriginal(entry({ efforts: ['none', 'high'] }))(
      original(`{"reasoning_effort":"${effort}"}`),
      buildTarget(),
      false,
    );

    expect(call.body).toContain(`"reasoning_effort":${sent}`);
    expect(call.approximated).toEqual(approximated);
    expect(encode(`{"reasoning_effort":"${effort}"}`)).toContain(`"reasoning_effort":"${effort}"`);
  });
});
