import { PNG } from './conversations';
import { HI, CITY, FAMILIES, tag, type DialectRequest } from './dialect-request';

const USED = { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Paris' } };
const TOOL = { name: 'get_weather', description: 'd', input_schema: CITY };

/** What only this dialect can say, or says in a way of its own. */
export const MESSAGES_REQUESTS: readonly DialectRequest[] = [
  {
    name: 'system blocks with cache',
    body: { system: [{ type: 'text', text: 'Long.', cache_control: { type: 'ephemeral', ttl: '1h' } }], messages: [HI] },
  },
  { name: 'cached tools', body: { messages: [HI], tools: [{ ...TOOL, cache_control: { type: 'ephemeral' } }] } },
  { name: 'cached all', body: { messages: [HI], cache_control: { type: 'ephemeral' } } },
  { name: 'top k', body: { messages: [HI], top_k: 5, metadata: { user_id: 'ada' }, service_tier: 'standard_only' } },
  { name: 'adaptive', body: { messages: [HI], max_tokens: 9000, thinking: { type: 'adaptive' }, output_config: { effort: 'max' } } },
  { name: 'thinking off', body: { messages: [HI], thinking: { type: 'disabled' }, temperature: 0.3 } },
  { name: 'choice as a word', body: { messages: [HI], tools: [TOOL], tool_choice: 'any' } },
  {
    name: 'serial and forced',
    body: { messages: [HI], tools: [TOOL], tool_choice: { type: 'tool', name: 'get_weather', disable_parallel_tool_use: true } },
  },
  {
    name: 'failed result',
    body: {
      messages: [
        HI,
        { role: 'assistant', content: [USED] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_1',
              is_error: true,
              content: [
                { type: 'text', text: 'boom' },
                { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
              ],
            },
            { type: 'text', text: 'Again?' },
          ],
        },
      ],
      tools: [TOOL],
    },
  },
  {
    name: 'empty result',
    body: {
      messages: [HI, { role: 'assistant', content: [USED] }, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] }],
      tools: [TOOL],
    },
  },
  {
    name: 'text document',
    body: {
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'document',
              source: { type: 'text', media_type: 'text/plain', data: 'hi' },
              title: 'a',
              context: 'c',
              citations: { enabled: true },
            },
          ],
        },
      ],
    },
  },
  {
    name: 'document by address',
    body: { messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'url', url: 'https://files.test/a.pdf' } }] }] },
  },
  { name: 'prefill', body: { messages: [HI, { role: 'assistant', content: 'Hello ' }] } },
  {
    name: 'late system',
    body: { messages: [HI, { role: 'assistant', content: 'Hello.' }, { role: 'system', content: 'In French.' }, HI] },
  },
  {
    name: 'search within bounds',
    body: {
      messages: [HI],
      tools: [
        {
          type: 'web_search_20250305',
          name: 'web_search',
          max_uses: 3,
          allowed_domains: ['a.test'],
          user_location: { type: 'approximate', country: 'DE' },
        },
      ],
    },
  },
  {
    name: 'searched before',
    body: {
      messages: [
        HI,
        {
          role: 'assistant',
          content: [
            { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } },
            {
              type: 'web_search_tool_result',
              tool_use_id: 'srvtoolu_1',
              content: [{ type: 'web_search_result', url: 'https://a.test', title: 'A', encrypted_content: 'eHg=', page_age: null }],
            },
            {
              type: 'text',
              text: 'News.',
              citations: [
                { type: 'web_search_result_location', url: 'https://a.test', title: 'A', encrypted_index: 'eQ==', cited_text: 'n' },
              ],
            },
          ],
        },
        HI,
      ],
    },
  },
  {
    name: 'redacted thinking',
    body: {
      messages: [
        HI,
        {
          role: 'assistant',
          content: [
            { type: 'redacted_thinking', data: 'eHg=' },
            { type: 'text', text: 'Hello.' },
          ],
        },
        HI,
      ],
      max_tokens: 4096,
      thinking: { type: 'enabled', budget_tokens: 2048 },
    },
  },
  ...['native', ...FAMILIES].map((family) => ({
    name: `thinking of ${family}`,
    body: {
      max_tokens: 16_000,
      messages: [
        HI,
        {
          role: 'assistant',
          content: [
            {
              type: 'thinking',
              thinking: 'I think.',
              signature: family === 'native' ? 'c3RhdGU=' : tag(family, family === 'openai' ? 'encrypted' : 'signature', 'messages'),
            },
            USED,
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'sunny' }] },
      ],
      tools: [TOOL],
      thinking: { type: 'enabled', budget_tokens: 8192 },
    },
  })),
];
