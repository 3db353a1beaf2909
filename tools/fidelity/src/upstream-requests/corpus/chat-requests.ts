import { encodeStateTag } from '@weir/wire-formats';
import { PDF, PNG } from './conversations';
import { HI, CITY, GRAMMAR, FAMILIES, tag, type DialectRequest } from './dialect-request';

const FUNCTION = { type: 'function', function: { name: 'get_weather', parameters: CITY, strict: true } };

const CALL = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } };

/** What only this dialect can say, or says in a way of its own. */
export const CHAT_REQUESTS: readonly DialectRequest[] = [
  { name: 'developer', body: { messages: [{ role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] }, HI] } },
  {
    name: 'late system',
    body: { messages: [HI, { role: 'assistant', content: 'Hello.' }, { role: 'system', content: 'In French.' }, HI] },
  },
  { name: 'names', body: { messages: [{ ...HI, name: 'ada' }] } },
  { name: 'n and logprobs', body: { messages: [HI], n: 2, logprobs: true, top_logprobs: 3 } },
  { name: 'logprobs of the chosen', body: { messages: [HI], logprobs: true } },
  { name: 'penalties', body: { messages: [HI], presence_penalty: 0.5, frequency_penalty: -0.5, logit_bias: { '50256': -100 } } },
  {
    name: 'accounting',
    body: { messages: [HI], user: 'ada', service_tier: 'flex', prompt_cache_key: 'k', verbosity: 'low', store: true, metadata: { a: 'b' } },
  },
  { name: 'priority', body: { messages: [HI], service_tier: 'priority' } },
  { name: 'json object', body: { messages: [HI], response_format: { type: 'json_object' } } },
  {
    name: 'schema without strictness',
    body: { messages: [HI], response_format: { type: 'json_schema', json_schema: { name: 'a', description: 'd', schema: CITY } } },
  },
  { name: 'no effort', body: { messages: [HI], reasoning_effort: 'none', temperature: 0.2 } },
  { name: 'least effort', body: { messages: [HI], reasoning_effort: 'minimal' } },
  { name: 'most effort', body: { messages: [HI], reasoning_effort: 'xhigh' } },
  { name: 'temperature above one', body: { messages: [HI], temperature: 1.7, max_tokens: 5 } },
  { name: 'one stop', body: { messages: [HI], stop: '\n' } },
  { name: 'strict tool', body: { messages: [HI], tools: [FUNCTION], parallel_tool_calls: true } },
  { name: 'tool without parameters', body: { messages: [HI], tools: [{ type: 'function', function: { name: 'now' } }] } },
  {
    name: 'custom tool',
    body: {
      messages: [HI],
      tools: [{ type: 'custom', custom: { name: 'shell', description: 'd', format: { type: 'grammar', grammar: GRAMMAR } } }],
      tool_choice: { type: 'custom', custom: { name: 'shell' } },
    },
  },
  {
    name: 'custom call',
    body: {
      messages: [
        HI,
        { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'custom', custom: { name: 'shell', input: 'ls' } }] },
        { role: 'tool', tool_call_id: 'call_1', content: 'a' },
      ],
      tools: [{ type: 'custom', custom: { name: 'shell' } }],
    },
  },
  {
    name: 'allowed tools',
    body: {
      messages: [HI],
      tools: [FUNCTION, { type: 'function', function: { name: 'now' } }],
      tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'now' } }] } },
    },
  },
  {
    name: 'allowed tools, freely',
    body: {
      messages: [HI],
      tools: [FUNCTION],
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'get_weather' } }] },
      },
    },
  },
  {
    name: 'long tool name',
    body: {
      messages: [
        HI,
        { role: 'assistant', tool_calls: [{ ...CALL, function: { name: 'a.very:long/name '.repeat(6), arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'call_1', content: 'ok' },
      ],
      tools: [{ type: 'function', function: { name: 'a.very:long/name '.repeat(6) } }],
    },
  },
  {
    name: 'search with wishes',
    body: {
      messages: [HI],
      tools: [
        {
          type: 'web_search',
          search_context_size: 'low',
          user_location: { type: 'approximate', country: 'DE', city: 'Berlin' },
          filters: { allowed_domains: ['a.test'] },
        },
      ],
    },
  },
  { name: 'search beside a tool', body: { messages: [HI], tools: [{ type: 'web_search' }, FUNCTION] } },
  { name: 'search options', body: { messages: [HI], web_search_options: { search_context_size: 'high' } } },
  {
    name: 'broken arguments',
    body: {
      messages: [
        HI,
        { role: 'assistant', tool_calls: [{ ...CALL, function: { name: 'get_weather', arguments: '{"city":' } }] },
        { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'ok' }] },
      ],
      tools: [FUNCTION],
    },
  },
  {
    name: 'calls without tools',
    body: {
      messages: [HI, { role: 'assistant', content: null, tool_calls: [CALL] }, { role: 'tool', tool_call_id: 'call_1', content: 'ok' }],
    },
  },
  { name: 'refusal', body: { messages: [HI, { role: 'assistant', content: null, refusal: 'I cannot.' }, HI] } },
  {
    name: 'image in detail',
    body: {
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/jpeg;base64,${PNG}`, detail: 'high' } }] }],
    },
  },
  { name: 'audio', body: { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: { data: PNG, format: 'mp3' } }] }] } },
  {
    name: 'pdf by extension',
    body: {
      messages: [{ role: 'user', content: [{ type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` }] }],
    },
  },
  {
    name: 'pdf by address',
    body: { messages: [{ role: 'user', content: [{ type: 'input_file', filename: 'a.pdf', file_data: 'https://files.test/a.pdf' }] }] },
  },
  {
    name: 'text file',
    body: {
      messages: [{ role: 'user', content: [{ type: 'file', file: { filename: 'a.txt', file_data: 'data:text/plain;base64,aGk=' } }] }],
    },
  },
  {
    name: 'video',
    body: { messages: [{ role: 'user', content: [{ type: 'input_file', filename: 'a.mp4', file_data: 'data:video/mp4;base64,AAAA' }] }] },
  },
  {
    name: 'cache mark',
    body: { messages: [{ role: 'user', content: [{ type: 'text', text: 'Long.', cache_control: { type: 'ephemeral' } }] }, HI] },
  },
  {
    name: 'plain reasoning',
    body: { messages: [HI, { role: 'assistant', content: 'Hello.', reasoning_content: 'I think.' }, HI], reasoning_effort: 'low' },
  },
  ...FAMILIES.map((family) => ({
    name: `reasoning of ${family}`,
    body: {
      messages: [
        HI,
        {
          role: 'assistant',
          content: null,
          reasoning_details: [{ type: 'reasoning.text', text: 'I think.', signature: tag(family, 'signature', 'chat-completions') }],
          tool_calls: [CALL],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
      ],
      tools: [FUNCTION],
      reasoning_effort: 'medium',
      max_completion_tokens: 16_000,
    },
  })),
  {
    name: 'state of a call',
    body: {
      messages: [
        HI,
        {
          role: 'assistant',
          tool_calls: [CALL],
          reasoning_details: [
            {
              type: 'reasoning.encrypted',
              id: 'call_1',
              data: encodeStateTag(
                { state: { family: 'google', kind: 'signature', value: 'c2ln' }, toolCallId: 'call_1' },
                'chat-completions',
              ),
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
      ],
      tools: [FUNCTION],
    },
  },
];
