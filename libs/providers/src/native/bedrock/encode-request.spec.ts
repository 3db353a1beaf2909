import type { ContentBlock } from '@weir/canonical';
import { NOVA, call, encode, image, pdf, result, text, tools, user, type Json } from './__fixtures__/encode-for-converse';

const refused = expect.objectContaining({ code: 'unsupported_field' });

describe('encodeRequest of Converse', () => {
  it('puts the encoded name of the model into the path and nothing that no one asked for into the body', () => {
    const { path, body } = encode({}, { model: NOVA });

    expect(path).toBe('/model/us.amazon.nova-lite-v1%3A0/converse');
    expect(body).toEqual({ messages: [{ role: 'user', content: [{ text: 'hi' }] }] });
    expect(encode({ stream: true }, { model: NOVA }).path).toBe('/model/us.amazon.nova-lite-v1%3A0/converse-stream');
  });

  it('puts leading instructions into system and later ones, marked, into the conversation', () => {
    const { body, approximated } = encode({
      turns: [
        { role: 'system', content: [text('a')] },
        { role: 'developer', content: [text('b', { cache: { ttl: '1h' } })] },
        user(text('q')),
        { role: 'system', content: [text('c')] },
      ],
    });

    expect(body.system).toEqual([{ text: 'a' }, { text: 'b' }, { cachePoint: { type: 'default', ttl: '1h' } }]);
    expect(body.messages).toEqual([{ role: 'user', content: [{ text: 'q' }, { text: '<system>c</system>' }] }]);
    expect(approximated).toEqual(['messages.system']);
  });

  it('joins the results of parallel calls and the next words of the user in one message, results first', () => {
    const { body } = encode({
      tools,
      turns: [
        user(text('q')),
        { role: 'assistant', content: [text('let me see'), call('a', '{"x": 1}'), call('b', ''), call('c!', 'no json')] },
        { role: 'tool', content: [result('a', { cache: {} })] },
        { role: 'tool', content: [result('b', { isError: true }), result('c!', { content: [text(' '), image('image/png')] })] },
        user(text('go on')),
      ],
    });
    const id = (body.messages[1]?.content[3]?.['toolUse'] as Json)['toolUseId'];

    expect(id).toMatch(/^tooluse_[0-9a-f]{24}$/);
    expect(body.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { text: 'let me see' },
          { toolUse: { toolUseId: 'a', name: 'f', input: { x: 1 } } },
          { toolUse: { toolUseId: 'b', name: 'f', input: {} } },
          { toolUse: { toolUseId: id, name: 'f', input: { _raw: 'no json' } } },
        ],
      },
      {
        role: 'user',
        content: [
          { toolResult: { toolUseId: 'a', content: [{ text: 'r' }] } },
          { cachePoint: { type: 'default' } },
          { toolResult: { toolUseId: 'b', content: [{ text: 'r' }], status: 'error' } },
          { toolResult: { toolUseId: id, content: [{ image: { format: 'png', source: { bytes: 'aGk=' } } }] } },
          { text: 'go on' },
        ],
      },
    ]);
  });

  it('writes earlier calls as text when no tool may be called now', () => {
    const turns = [
      user(text('q')),
      { role: 'assistant', content: [call('a', '{"x":1}')] },
      { role: 'tool', content: [result('a', { content: [text('r'), image('image/png')] })] },
    ] as const;
    const { body, approximated } = encode({ tools, toolChoice: { kind: 'none' }, turns });

    expect(body.toolConfig).toBeUndefined();
    expect(body.messages.slice(1)).toEqual([
      { role: 'assistant', content: [{ text: '<tool_call name="f">{"x":1}</tool_call>' }] },
      { role: 'user', content: [{ text: '<tool_result>r</tool_result>' }, { image: { format: 'png', source: { bytes: 'aGk=' } } }] },
    ]);
    expect(approximated).toEqual(['messages.tool_calls']);
    expect(encode({ turns }).body.messages).toEqual(body.messages);
    expect(encode({ tools, toolChoice: { kind: 'none' } })).toMatchObject({
      body: { messages: [{ content: [{ text: 'hi' }] }] },
      approximated: [],
    });
  });

  it('leaves out blank text and messages of nothing else', () => {
    expect(
      encode({
        turns: [
          user(text('a'), text(' \n')),
          { role: 'assistant', content: [text('')] },
          user(text('b')),
          { role: 'assistant', content: [text('so ')] },
        ],
      }).body.messages,
    ).toEqual([
      { role: 'user', content: [{ text: 'a' }, { text: 'b' }] },
      { role: 'assistant', content: [{ text: 'so' }] },
    ]);
  });

  it('drops what has no word here, and says so', () => {
    const request = {
      seed: 1,
      presencePenalty: 1,
      frequencyPenalty: 1,
      logitBias: { '1': 1 },
      topLogprobs: 2,
      verbosity: 'low',
      cacheKey: 'k',
      unmapped: { store: true },
      endUserId: 'ü',
    };
    expect(encode(request).dropped.sort()).toEqual([
      'frequency_penalty',
      'logit_bias',
      'logprobs',
      'presence_penalty',
      'prompt_cache_key',
      'seed',
      'store',
      'user',
      'verbosity',
    ]);
    expect(encode({ endUserId: 'u-1', serviceTier: 'flex' }).body).toMatchObject({
      requestMetadata: { user: 'u-1' },
      serviceTier: { type: 'flex' },
    });
    expect(encode({ serviceTier: 'scale' })).toMatchObject({ dropped: ['service_tier'] });
    expect(encode({ serviceTier: 'fast' }).body).toMatchObject({ serviceTier: { type: 'priority' } });
    expect(() => encode({ choices: 2 })).toThrow(refused);
  });
});

describe('media for Converse', () => {
  it.each([
    [image('image/jpg'), { image: { format: 'jpeg', source: { bytes: 'aGk=' } } }],
    [
      { type: 'image', source: { kind: 'url', url: 's3://bucket/a.PNG' } },
      { image: { format: 'png', source: { s3Location: { uri: 's3://bucket/a.PNG' } } } },
    ],
    [
      { type: 'video', source: { kind: 'base64', mediaType: 'video/3gpp', data: 'aGk=' } },
      { video: { format: 'three_gp', source: { bytes: 'aGk=' } } },
    ],
    [{ type: 'audio', data: 'aGk=', format: 'WAV' }, { audio: { format: 'wav', source: { bytes: 'aGk=' } } }],
    [
      { type: 'document', source: { kind: 'text', mediaType: 'text/plain', text: 'hi' } },
      { document: { format: 'txt', name: 'document', source: { bytes: 'aGk=' } } },
    ],
    [
      { type: 'document', source: { kind: 'text', mediaType: 'text/plain', text: 'hi' }, hasCitations: true, context: 'c' },
      { document: { format: 'txt', name: 'document', source: { text: 'hi' }, context: 'c', citations: { enabled: true } } },
    ],
    [
      { type: 'document', source: { kind: 'base64', mediaType: 'application/octet-stream', data: 'aGk=' }, filename: 'notes.md' },
      { document: { format: 'md', name: 'notes', source: { bytes: 'aGk=' } } },
    ],
  ] as [ContentBlock, Json][])('writes %j', (block, expected) => {
    expect(encode({ turns: [user(text('q'), block)] }).body.messages[0]?.content[1]).toEqual(expected);
  });

  it.each([
    { type: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } },
    { type: 'image', source: { kind: 'file', fileId: 'f' } },
    { type: 'document', source: { kind: 'url', url: 'https://example.com/a' } },
    { type: 'document', source: { kind: 'file', fileId: 'f' } },
    { type: 'video', source: { kind: 'url', url: 'https://example.com/a.mp4' } },
    image('image/tiff'),
    { type: 'document', source: { kind: 'base64', mediaType: 'application/zip', data: 'aGk=' } },
  ] as ContentBlock[])('refuses %j', (block) => {
    expect(() => encode({ turns: [user(text('q'), block)] })).toThrow(refused);
  });

  it('names documents with the characters that are allowed, and none twice', () => {
    const { body } = encode({
      turns: [user(text('q'), pdf('Q3 — report_v2.final.pdf'), pdf('a.pdf'), pdf('a.csv'), pdf()), user(pdf('a'))],
    });
    expect(body.messages[0]?.content.slice(1).map((block) => (block['document'] as Json)['name'])).toEqual([
      'Q3 - report-v2-final',
      'a',
      'a [2]',
      'document',
      'a [3]',
    ]);
  });

  it('puts words beside a document that came without any', () => {
    const { body, approximated } = encode({ turns: [user(pdf('a.pdf'))] });

    expect(body.messages[0]?.content).toEqual([
      expect.objectContaining({ document: expect.anything() }),
      { text: 'The document is attached.' },
    ]);
    expect(approximated).toEqual(['messages.document']);
  });
});

it('reports a result’s error mark as lost for models that know no status', () => {
  const turns = [
    user(text('q')),
    { role: 'assistant' as const, content: [call('a')] },
    { role: 'tool' as const, content: [result('a', { isError: true })] },
  ];

  expect(encode({ tools, turns }).dropped).not.toContain('messages.is_error');
  expect(encode({ tools, turns }, { model: 'us.meta.llama3-3-70b-instruct-v1:0' }).dropped).toContain('messages.is_error');
});
