/** A body that fits, and ways to spoil it: each must be found, at its place. */
type WrongBodies = { readonly right: object; readonly wrong: readonly (readonly [path: string, body: object])[] };

const HI = { role: 'user', content: 'Hi' };
const CHAT = { model: 'm', messages: [HI] };
const MESSAGES = { max_tokens: 9, messages: [HI] };
const ASKED = { role: 'user', parts: [{ text: 'Hi' }] };
const TURN = { role: 'user', content: [{ text: 'Hi' }] };

const MESSAGES_WRONG: WrongBodies['wrong'] = [
  ['stop', { ...MESSAGES, stop: ['x'] }],
  [
    'messages[].content[].source.media_type',
    {
      ...MESSAGES,
      messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/bmp', data: '' } }] }],
    },
  ],
];

function withModel([path, body]: readonly [string, object]): readonly [string, object] {
  return [path, { model: 'm', ...body }];
}

function withVersion([path, body]: readonly [string, object]): readonly [string, object] {
  return [path, { anthropic_version: 'vertex-2023-10-16', ...body }];
}

/** For every set of published types. */
export const WRONG_BODIES: Readonly<Record<string, WrongBodies>> = {
  'openai chat completions': {
    right: CHAT,
    wrong: [
      ['max_output_tokens', { ...CHAT, max_output_tokens: 5 }],
      [
        'messages[].content[].type',
        { ...CHAT, messages: [{ role: 'user', content: [{ type: 'image_url', image_url: 'https://a.test' }] }] },
      ],
      ['tool_choice', { ...CHAT, tool_choice: 'any' }],
    ],
  },
  'openai responses': {
    right: { model: 'm', input: 'Hi' },
    wrong: [
      ['max_tokens', { model: 'm', input: 'Hi', max_tokens: 5 }],
      ['text.format.json_schema', { model: 'm', input: 'Hi', text: { format: { type: 'json_schema', json_schema: {} } } }],
      ['service_tier', { model: 'm', input: 'Hi', service_tier: 'standard_only' }],
    ],
  },
  anthropic: { right: { model: 'm', ...MESSAGES }, wrong: MESSAGES_WRONG.map(withModel) },
  'anthropic at a cloud': {
    right: { anthropic_version: 'vertex-2023-10-16', ...MESSAGES },
    wrong: [...MESSAGES_WRONG.map(withVersion), ['model', { anthropic_version: 'vertex-2023-10-16', model: 'm', ...MESSAGES }]],
  },
  google: {
    right: { contents: [ASKED] },
    wrong: [
      ['generationConfig.max_output_tokens', { contents: [ASKED], generationConfig: { max_output_tokens: 5 } }],
      [
        'contents[].parts[].inlineData.mime_type',
        { contents: [{ role: 'user', parts: [{ inlineData: { mime_type: 'image/png', data: '' } }] }] },
      ],
      ['toolConfig.functionCallingConfig.mode', { contents: [ASKED], toolConfig: { functionCallingConfig: { mode: 'FORCE' } } }],
      [
        'tools[].functionDeclarations[].parametersSchema',
        { contents: [ASKED], tools: [{ functionDeclarations: [{ name: 'f', parametersSchema: {} }] }] },
      ],
    ],
  },
  bedrock: {
    right: { messages: [TURN] },
    wrong: [
      ['inferenceConfig.max_tokens', { messages: [TURN], inferenceConfig: { max_tokens: 5 } }],
      [
        'messages[].content[].image.format',
        { messages: [{ role: 'user', content: [{ image: { format: 'bmp', source: { bytes: '' } } }] }] },
      ],
      ['toolConfig.toolChoice.none', { messages: [TURN], toolConfig: { tools: [], toolChoice: { none: {} } } }],
    ],
  },
  cohere: {
    right: CHAT,
    wrong: [
      ['top_p', { ...CHAT, top_p: 0.5 }],
      ['tool_choice', { ...CHAT, tool_choice: 'required' }],
      ['messages[].content[].type', { ...CHAT, messages: [{ role: 'user', content: [{ type: 'image_url', url: 'https://a.test' }] }] }],
    ],
  },
};
