import { GatewayError } from '@weir/errors';
import { chatCompletionsFormat } from '.';

const decode = (body: Record<string, unknown>) => chatCompletionsFormat.decodeRequest(body);
const user = (part: unknown) => ({ messages: [{ role: 'user', content: [part] }] });
const withBody = (more: Record<string, unknown>) => ({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...more });
const firstBlock = (part: unknown) => decode(user(part)).turns[0]?.content[0];
const PDF = 'data:application/pdf;base64,JVBERi0=';

describe('content parts', () => {
  it.each([
    [
      'an image by URL',
      { type: 'image_url', image_url: { url: 'https://x.org/a.png', detail: 'high' } },
      { type: 'image', source: { kind: 'url', url: 'https://x.org/a.png', field: 'messages[0].content[0].image_url.url' }, detail: 'high' },
    ],
    [
      'an image by data URL',
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA', field: 'messages[0].content[0].image_url.url' } },
    ],
    [
      'an image as a bare string',
      { type: 'image_url', image_url: 'https://x.org/a.png' },
      { type: 'image', source: { kind: 'url', url: 'https://x.org/a.png', field: 'messages[0].content[0].image_url' } },
    ],
    [
      'audio',
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
      { type: 'audio', data: 'AAAA', format: 'wav', field: 'messages[0].content[0].input_audio' },
    ],
    [
      'a nested file',
      { type: 'file', file: { filename: 'a.pdf', file_data: PDF } },
      {
        type: 'document',
        source: { kind: 'base64', mediaType: 'application/pdf', data: 'JVBERi0=', field: 'messages[0].content[0].file.file_data' },
        filename: 'a.pdf',
      },
    ],
    [
      'a flat input_file',
      { type: 'input_file', filename: 'a.pdf', file_data: PDF },
      {
        type: 'document',
        source: { kind: 'base64', mediaType: 'application/pdf', data: 'JVBERi0=', field: 'messages[0].content[0].file_data' },
        filename: 'a.pdf',
      },
    ],
    [
      'a PDF by URL',
      { type: 'input_file', file_data: 'https://x.org/a.pdf' },
      { type: 'document', source: { kind: 'url', url: 'https://x.org/a.pdf', field: 'messages[0].content[0].file_data' } },
    ],
    [
      'an uploaded file',
      { type: 'file', file: { file_id: 'file-1' } },
      { type: 'document', source: { kind: 'file', fileId: 'file-1', field: 'messages[0].content[0].file.file_id' } },
    ],
    [
      'a picture as a file',
      { type: 'file', file: { filename: 'a.png', file_data: 'data:image/png;base64,AAAA' }, cache_control: { type: 'ephemeral' } },
      {
        type: 'image',
        source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA', field: 'messages[0].content[0].file.file_data' },
        cache: {},
      },
    ],
    [
      'a video by data URL',
      { type: 'input_file', file_data: 'data:video/mp4;base64,AAAA' },
      { type: 'video', source: { kind: 'base64', mediaType: 'video/mp4', data: 'AAAA', field: 'messages[0].content[0].file_data' } },
    ],
    [
      'a video by URL',
      { type: 'input_file', file_data: 'https://x.org/a.MP4?x=1' },
      { type: 'video', source: { kind: 'url', url: 'https://x.org/a.MP4?x=1', field: 'messages[0].content[0].file_data' } },
    ],
    [
      'a video by the name of an untyped file',
      { type: 'input_file', filename: 'a.mov', file_data: 'data:application/octet-stream;base64,AAAA' },
      { type: 'video', source: { kind: 'base64', mediaType: 'video/quicktime', data: 'AAAA', field: 'messages[0].content[0].file_data' } },
    ],
    [
      'a text file',
      { type: 'file', file: { filename: 'a.txt', file_data: 'data:text/plain;base64,aMOk' } },
      { type: 'document', source: { kind: 'text', mediaType: 'text/plain', text: 'hä' }, filename: 'a.txt' },
    ],
    [
      'a cache mark',
      { type: 'text', text: 't', cache_control: { type: 'ephemeral', ttl: '1h' } },
      { type: 'text', text: 't', cache: { ttl: '1h' } },
    ],
    [
      'a cache breakpoint',
      { type: 'text', text: 't', prompt_cache_breakpoint: { mode: 'explicit' } },
      { type: 'text', text: 't', cache: {} },
    ],
  ])('%s', (_name, part, block) => {
    expect(firstBlock(part)).toEqual(block);
  });
});

describe('messages', () => {
  it('joins neighbouring tool results in one turn', () => {
    const { turns } = decode({
      messages: [
        { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1.0}' } }] },
        { role: 'tool', tool_call_id: 'a', content: '1' },
        { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: '2' }] },
        { role: 'user', content: 'go on', name: 'Ann' },
      ],
    });
    expect(turns).toEqual([
      { role: 'assistant', content: [{ type: 'tool-call', id: 'a', name: 'f', kind: 'function', argumentsText: '{"x":1.0}' }] },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'a', content: [{ type: 'text', text: '1' }] },
          { type: 'tool-result', toolCallId: 'b', content: [{ type: 'text', text: '2' }] },
        ],
      },
      { role: 'user', name: 'Ann', content: [{ type: 'text', text: 'go on' }] },
    ]);
  });

  it('pairs the older function messages with their calls', () => {
    const request = decode({
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
        { role: 'function', name: 'f', content: 'result' },
      ],
      functions: [{ name: 'f', parameters: { type: 'object' } }],
      function_call: { name: 'f' },
    });
    const call = request.turns[1]?.content[0];
    const result = request.turns[2]?.content[0];
    expect(call?.type === 'tool-call' ? call.id : '').toBe(result?.type === 'tool-result' ? result.toolCallId : 'none');
    expect(request).toMatchObject({
      tools: [{ kind: 'function', name: 'f', parameters: { type: 'object' } }],
      toolChoice: { kind: 'tool', name: 'f' },
      hasParallelTools: false,
    });
  });

  it('keeps the order reasoning, words, refusal, calls', () => {
    const { turns } = decode({
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'a' },
            { type: 'refusal', refusal: 'no' },
          ],
          refusal: 'never',
          reasoning_content: 'hm',
          tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'g', input: 'free' } }],
        },
      ],
    });
    expect(turns[0]?.content.map((block) => block.type)).toEqual(['reasoning', 'text', 'refusal', 'refusal', 'tool-call']);
  });

  it('keeps which pages an earlier answer named', () => {
    const annotations = [
      { type: 'url_citation', url_citation: { url: 'https://a.example', title: 'A', start_index: 0, end_index: 1 } },
      {},
    ];
    const blocksOf = (content: unknown) =>
      decode({ messages: [{ role: 'assistant', content, annotations, refusal: null }] }).turns[0]?.content;

    expect(blocksOf('a')).toEqual([{ type: 'text', text: 'a', citations: [{ url: 'https://a.example', title: 'A' }] }]);
    expect(blocksOf('')).toEqual([{ type: 'text', text: '' }]);
  });

  it('takes an empty assistant text, but not a missing one', () => {
    expect(decode({ messages: [{ role: 'assistant', content: '' }] }).turns[0]?.content).toEqual([{ type: 'text', text: '' }]);
  });
});

describe('parameters', () => {
  it.each([
    [{ max_tokens: 5 }, { maxOutputTokens: 5 }],
    [{ max_tokens: 5, max_completion_tokens: 6 }, { maxOutputTokens: 6 }],
    [{ stop: 'x' }, { stop: ['x'] }],
    [{ logprobs: true }, { topLogprobs: 0 }],
    [{ logprobs: true, top_logprobs: 3 }, { topLogprobs: 3 }],
    [{ logprobs: false, top_logprobs: 0 }, {}],
    [
      {
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: { mode: 'auto', tools: [{ type: 'web_search' }, { type: 'function', function: { name: 'f' } }] },
        },
      },
      { toolChoice: { kind: 'allowed', mode: 'auto', names: ['f'], hasSearch: true } },
    ],
    [{ reasoning_effort: 'high' }, { reasoning: { effort: 'high' } }],
    [{ thinking: { type: 'enabled', budget_tokens: 2048 } }, { reasoning: { mode: 'enabled', budgetTokens: 2048, wantsState: true } }],
    [{ thinking: { type: 'disabled' } }, { reasoning: { mode: 'disabled' } }],
    [{ thinking: { type: 'adaptive' }, reasoning_effort: 'low' }, { reasoning: { effort: 'low', mode: 'adaptive', wantsState: true } }],
    [{ reasoning_effort: '10000' }, { reasoning: { budgetTokens: 10000 } }],
    [
      { user: 'u', safety_identifier: 's' },
      { endUserId: 's', unmapped: { user: 'u' } },
    ],
    [{ user: 's', safety_identifier: 's' }, { endUserId: 's' }],
    [{ response_format: { type: 'json_object' } }, { responseFormat: { kind: 'json' } }],
    [{ web_search_options: { search_context_size: 'low' } }, { tools: [{ kind: 'web-search', contextSize: 'low' }] }],
    [
      { tools: [{ type: 'web_search', max_uses: 2 }], web_search_options: { search_context_size: 'low' } },
      { tools: [{ kind: 'web-search', usesMax: 2, contextSize: 'low' }] },
    ],
    [
      { tools: [{ type: 'web_search', external_web_access: false, cache_control: { type: 'ephemeral' } }] },
      {
        tools: [{ kind: 'web-search' }],
        unmapped: { 'tools.external_web_access': false, 'tools.cache_control': { type: 'ephemeral' } },
      },
    ],
    [{ tools: [{ type: 'web_search', external_web_access: true, max_uses: null }] }, { tools: [{ kind: 'web-search' }] }],
    [
      { tools: [{ type: 'custom', custom: { name: 'g', format: { type: 'text' } } }] },
      { tools: [{ kind: 'custom', name: 'g', format: { type: 'text' } }] },
    ],
    [{ tool_choice: { type: 'custom', custom: { name: 'g' } } }, { toolChoice: { kind: 'tool', name: 'g', isCustom: true } }],
    [{ prediction: { type: 'content' }, store: false }, { unmapped: { prediction: { type: 'content' } } }],
    [{ modalities: ['text'], temperature: null }, {}],
  ])('%j', (fields, expected) => {
    expect(decode(withBody(fields))).toEqual({
      model: 'm',
      stream: false,
      turns: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      ...expected,
    });
  });

  it('leaves the model empty when the caller names none', () => {
    expect(decode({ messages: [{ role: 'user', content: 'hi' }] }).model).toBe('');
  });
});

describe('bad input is refused in the words of the dialect', () => {
  it.each([
    [{}, 'messages', 'is required'],
    [{ messages: 'hi' }, 'messages', 'must be an array'],
    [{ messages: [] }, 'messages', 'at least one'],
    [{ messages: ['hi'] }, 'messages[0]', 'must be an object'],
    [{ messages: [{ role: 'robot', content: 'x' }] }, 'messages[0].role', 'must be'],
    [{ messages: [{ role: 'user' }] }, 'messages[0].content', 'is required'],
    [{ messages: [{ role: 'user', content: 7 }] }, 'messages[0].content', 'must be a string'],
    [{ messages: [{ role: 'assistant' }] }, 'messages[0].content', 'is required unless'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].tool_call_id', 'is required'],
    [{ messages: [{ role: 'function', name: 'f', content: 'x' }] }, 'messages[0]', 'no assistant message made'],
    [user({ type: 'text' }), 'messages[0].content[0].text', 'is required'],
    [user({ type: 'hologram' }), 'messages[0].content[0].type', '"hologram"'],
    [user({ type: 'image_url', image_url: {} }), 'messages[0].content[0].image_url.url', 'is required'],
    [
      user({ type: 'image_url', image_url: { url: 'ftp://x' } }),
      'messages[0].content[0].image_url.url',
      'http(s) URL or a base64 data URL',
    ],
    [user({ type: 'image_url', image_url: { url: PDF } }), 'messages[0].content[0].image_url.url', 'must hold an image'],
    [
      user({ type: 'input_audio', input_audio: { data: 'data:audio/wav;base64,AA', format: 'wav' } }),
      'messages[0].content[0].input_audio.data',
      'without a data URL',
    ],
    [user({ type: 'file', file: { filename: 'a' } }), 'messages[0].content[0].file.file_data', 'is required'],
    [user({ type: 'input_file', file_data: 'x' }), 'messages[0].content[0].file_data', 'must be a base64 data URL'],
    [user({ type: 'text', text: 'x', cache_control: { ttl: '2h' } }), 'messages[0].content[0].cache_control.ttl', '"5m" or "1h"'],
    [withBody({ temperature: 2.1 }), 'temperature', 'at most 2'],
    [withBody({ temperature: '1' }), 'temperature', 'must be a number'],
    [withBody({ top_p: -0.1 }), 'top_p', 'at least 0'],
    [withBody({ max_tokens: 0 }), 'max_tokens', 'at least 1'],
    [withBody({ max_completion_tokens: 1.5 }), 'max_completion_tokens', 'must be an integer'],
    [withBody({ n: 129 }), 'n', 'at most 128'],
    [withBody({ stop: [1] }), 'stop[0]', 'must be a string'],
    [withBody({ logit_bias: { '5': 'x' } }), 'logit_bias.5', 'must be a number'],
    [withBody({ thinking: { type: 'much' } }), 'thinking.type', 'must be'],
    [withBody({ reasoning_effort: 'huge' }), 'reasoning_effort', 'must be one of'],
    [withBody({ stream: 'yes' }), 'stream', 'must be true or false'],
    [withBody({ tools: [{ type: 'code_interpreter' }] }), 'tools[0].type', '"code_interpreter"'],
    [withBody({ tools: [{ type: 'function', function: {} }] }), 'tools[0].function.name', 'is required'],
    [withBody({ tool_choice: 'sometimes' }), 'tool_choice', 'must be'],
    [withBody({ tool_choice: { type: 'function' } }), 'tool_choice.function', 'is required'],
    [withBody({ response_format: { type: 'xml' } }), 'response_format.type', 'must be'],
    [withBody({ response_format: { type: 'json_schema' } }), 'response_format.json_schema', 'is required'],
  ])('%j → %s', (body, field, words) => {
    let refusal: unknown;
    try {
      decode(body as Record<string, unknown>);
    } catch (thrown) {
      refusal = thrown;
    }
    expect(refusal).toBeInstanceOf(GatewayError);
    expect(refusal).toMatchObject({ code: 'invalid_request', details: { field } });
    expect((refusal as Error).message).toContain(`${field} `);
    expect((refusal as Error).message).toContain(words);
  });
});

it('refuses a spoken answer, which exists in this dialect’s own words only', () => {
  const wish = { ...withBody({ modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } }) };

  expect(() => decode(wish)).toThrow(expect.objectContaining({ code: 'unsupported_field', details: { field: 'modalities' } }) as Error);
  expect(decode({ ...withBody({ modalities: ['text'] }) })).not.toHaveProperty('unmapped');
});

it('pictures that the assistant made go along, for providers to take or to report', () => {
  const images = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' }, index: 0 }];
  const messages = [
    { role: 'user', content: 'draw' },
    { role: 'assistant', content: 'here', images },
    { role: 'user', content: 'again' },
  ];

  expect(chatCompletionsFormat.decodeRequest({ model: 'm', messages }).turns[1]?.content).toEqual([
    { type: 'text', text: 'here' },
    { type: 'opaque', family: 'chat-completions', raw: { type: 'images', images } },
  ]);
});
