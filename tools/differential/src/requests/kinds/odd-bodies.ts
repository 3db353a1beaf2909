import { say } from '../../upstream/replies';
import type { Kind, Request } from '../request';
import { ask, MODELS, nameOf, prompt, SHAPES, streamed, WAYS } from './bodies';

const LARGE = 'The quick brown fox jumps over the lazy dog, “again” and again. '.repeat(6_200);

const rawChat = (mark: string, body: string): Request => ({
  key: 'four',
  path: SHAPES.chat.path,
  body: body.replace('MARK', prompt(mark)),
});

/** Bodies that are right, and written as few would. */
const WRITTEN: Readonly<Record<string, string>> = {
  spaces: ' \t{ "model" :\n "MODEL" , "messages" : [ { "role" : "user" , "content" : "MARK" } ] }\r\n',
  escapes: '{"mod\\u0065l":"MODEL","messages":[{"role":"user","content":"MARK \\u00e9\\/\\b\\ud83c\\udf05 \\"q\\""}]}',
  unicode: '{"model":"MODEL","messages":[{"role":"user","content":"MARK é 漢字 🌅 \u2028 \u00a0"}],"user":"ü"}',
  surrogate: '{"model":"MODEL","messages":[{"role":"user","content":"MARK \\ud83c alone"}]}',
  'long-integers':
    '{"model":"MODEL","messages":[{"role":"user","content":"MARK"}],"seed":12345678901234567890,"metadata":{"n":"1"},"x":9007199254740993}',
  numbers:
    '{"model":"MODEL","messages":[{"role":"user","content":"MARK"}],"temperature":1.0,"top_p":1e0,"frequency_penalty":-0.0,"max_tokens":1e2}',
  'stream-first': '{"stream":true,"stream_options":{"include_usage":true},"model":"MODEL","messages":[{"role":"user","content":"MARK"}]}',
  'model-last': '{"messages":[{"role":"user","content":"MARK"}],"max_tokens":50,"model":"MODEL"}',
  'model-in-text': '{"messages":[{"role":"user","content":"MARK \\"model\\":\\"x\\", \\"stream\\":true"}],"model":"MODEL"}',
  'nothing-asked':
    '{"model":"MODEL","messages":[{"role":"user","content":"MARK"}],"stream":false,"stream_options":null,"tools":null,"n":1}',
  'usage-not-asked':
    '{"model":"MODEL","messages":[{"role":"user","content":"MARK"}],"stream":true,"stream_options":{"include_usage":false}}',
  'options-more':
    '{"model":"MODEL","messages":[{"role":"user","content":"MARK"}],"stream":true,"stream_options":{"include_obfuscation":false}}',
  parts:
    '{"model":"MODEL","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":[{"type":"text","text":"MARK"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}}]}]}',
  history:
    '{"model":"MODEL","messages":[{"role":"user","content":"Rome?"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"weather","arguments":"{\\"id\\": 12345678901234567890}"}}]},{"role":"tool","tool_call_id":"call_1","content":"sunny"},{"role":"user","content":"MARK"}],"tools":[{"type":"function","function":{"name":"weather","parameters":{"type":"object"}}}]}',
  schema:
    '{"model":"MODEL","messages":[{"role":"user","content":"MARK"}],"response_format":{"type":"json_schema","json_schema":{"name":"s","schema":{"type":"object","properties":{}}}},"stop":["END"],"logprobs":true,"top_logprobs":2}',
};

const written = Object.entries(WRITTEN).flatMap(([name, body]) =>
  [MODELS.openai, MODELS.anthropic, MODELS.mistral].map((model): Kind => ({
    id: `written:${name}:${model.split('/')[0] ?? ''}`,
    isIndependent: true,
    weight: 0.7,
    make: ({ mark }) => [rawChat(mark, body.replace('MODEL', model))],
  })),
);

const large = WAYS.slice(0, 6).map((way): Kind => ({
  id: `large:${nameOf(way)}`,
  weight: 0.5,
  make: ({ mark, count }) => [
    ask(way[0], way[1], mark, {
      text: LARGE,
      more: count % 2 === 0 ? {} : streamed(way[0]),
      replies: [say({ text: 'Read.', usage: { input: 90_000, output: 3 } })],
    }),
  ],
}));

const messages: Kind = {
  id: 'written:messages',
  isIndependent: true,
  make: ({ mark }) => {
    const system = [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }];
    const thinking = { thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 2000 };
    const history = [
      { role: 'user', content: 'Rome?' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
          { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { n: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'sunny' },
          { type: 'text', text: prompt(mark) },
        ],
      },
    ];
    const tools = [{ name: 'weather', input_schema: { type: 'object' } }];
    return [MODELS.anthropic, MODELS.openai].flatMap((model) => [
      ask('messages', model, mark, { more: { system, temperature: 0.5 } }),
      ask('messages', model, mark, { more: { ...thinking, stream: true }, replies: [say({ reasoning: 'I think.', text: 'So.' })] }),
      ask('messages', model, mark, { more: { messages: history, tools } }),
    ]);
  },
};

export const ODD_BODY_KINDS: readonly Kind[] = [...written, ...large, messages];
