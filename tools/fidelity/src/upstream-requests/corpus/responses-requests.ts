import { PNG } from './conversations';
import { CITY, GRAMMAR, FAMILIES, tag, type DialectRequest } from './dialect-request';

const ASKED = [{ role: 'user', content: 'Hi' }];

/** What only this dialect can say, or says in a way of its own. */
export const RESPONSES_REQUESTS: readonly DialectRequest[] = [
  { name: 'plain text', body: { input: 'Hi' } },
  { name: 'developer items', body: { instructions: 'Be brief.', input: [{ role: 'developer', content: 'In French.' }, ...ASKED] } },
  {
    name: 'custom tool',
    body: {
      input: 'Hi',
      tools: [{ type: 'custom', name: 'shell', format: { type: 'grammar', ...GRAMMAR } }],
      tool_choice: { type: 'custom', name: 'shell' },
    },
  },
  {
    name: 'custom call',
    body: {
      input: [
        ...ASKED,
        { type: 'custom_tool_call', call_id: 'c1', name: 'shell', input: 'ls' },
        { type: 'custom_tool_call_output', call_id: 'c1', output: 'a' },
      ],
      tools: [{ type: 'custom', name: 'shell' }],
    },
  },
  {
    name: 'result with an image',
    body: {
      input: [
        ...ASKED,
        { type: 'function_call', call_id: 'c1', name: 'shot', arguments: '' },
        {
          type: 'function_call_output',
          call_id: 'c1',
          output: [
            { type: 'input_text', text: 'here' },
            { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'auto' },
          ],
        },
      ],
      tools: [{ type: 'function', name: 'shot', parameters: null, strict: false }],
    },
  },
  {
    name: 'search with wishes',
    body: {
      input: 'Hi',
      tools: [
        {
          type: 'web_search',
          search_context_size: 'low',
          filters: { allowed_domains: ['a.test'] },
          user_location: { type: 'approximate', country: 'DE' },
        },
      ],
      include: ['web_search_call.action.sources'],
    },
  },
  {
    name: 'searched before',
    body: {
      input: [
        ...ASKED,
        { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } },
        {
          role: 'assistant',
          content: [
            {
              type: 'output_text',
              text: 'News.',
              annotations: [{ type: 'url_citation', url: 'https://a.test', title: 'A', start_index: 0, end_index: 4 }],
            },
          ],
        },
        ...ASKED,
      ],
      tools: [{ type: 'web_search' }],
    },
  },
  {
    name: 'refusal',
    body: {
      input: [
        ...ASKED,
        { type: 'message', role: 'assistant', id: 'msg_1', status: 'completed', content: [{ type: 'refusal', refusal: 'I cannot.' }] },
        ...ASKED,
      ],
    },
  },
  {
    name: 'namespace',
    body: {
      input: 'Hi',
      tools: [
        {
          type: 'namespace',
          name: 'files',
          description: 'd',
          tools: [{ type: 'function', name: 'read', parameters: CITY, strict: false }],
        },
      ],
    },
  },
  { name: 'file by address', body: { input: [{ role: 'user', content: [{ type: 'input_file', file_url: 'https://files.test/a.pdf' }] }] } },
  {
    name: 'verbosity and tiers',
    body: {
      input: 'Hi',
      text: { verbosity: 'high' },
      service_tier: 'flex',
      user: 'ada',
      prompt_cache_key: 'k',
      top_logprobs: 2,
      include: ['message.output_text.logprobs'],
      truncation: 'auto',
      metadata: { a: 'b' },
    },
  },
  {
    name: 'summaries',
    body: { input: 'Hi', reasoning: { effort: 'xhigh', summary: 'auto' }, include: ['reasoning.encrypted_content'], store: false },
  },
  { name: 'few tokens', body: { input: 'Hi', max_output_tokens: 16 } },
  {
    name: 'allowed tools',
    body: {
      input: 'Hi',
      tools: [{ type: 'function', name: 'now', parameters: {}, strict: false }],
      tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'now' }] },
    },
  },
  { name: 'hosted tool', body: { input: 'Hi', tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] } },
  ...['native', ...FAMILIES].map((family) => ({
    name: `reasoning of ${family}`,
    body: {
      input: [
        ...ASKED,
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'I think.' }],
          encrypted_content: family === 'native' ? 'c3RhdGU=' : tag(family, family === 'openai' ? 'encrypted' : 'signature', 'responses'),
        },
        { type: 'function_call', call_id: 'c1', name: 'now', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: '12:00' },
      ],
      tools: [{ type: 'function', name: 'now', parameters: {}, strict: false }],
      reasoning: { effort: 'medium' },
      store: false,
    },
  })),
];
