const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';
const PDF = 'data:application/pdf;base64,JVBERi0=';
const tool = { name: 'f', description: 'd', parameters: { type: 'object' }, strict: true };
const search = {
  max_uses: 3,
  allowed_domains: ['a.example'],
  search_context_size: 'low',
  user_location: { type: 'approximate', country: 'AT', city: 'Graz' },
};
const mark = { cache_control: { type: 'ephemeral', ttl: '1h' } };

/** Bodies that use what the examples of the document leave out. */
export const SPELLED_OUT = [
  {
    id: 'chat-completions',
    from: 'history',
    body: {
      messages: [
        { role: 'system', content: 'Be brief.', name: 's' },
        { role: 'developer', content: [{ type: 'text', text: 'x', ...mark }] },
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: PIXEL },
            { type: 'image_url', image_url: { url: 'https://a.example/b.png', detail: 'low' } },
            { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
            { type: 'input_file', filename: 'a.pdf', file_data: PDF },
            { type: 'file', file: { filename: 'a.pdf', file_data: PDF } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'a' },
            { type: 'refusal', refusal: 'no' },
          ],
          reasoning_content: 'hm',
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } },
            { id: 'c2', type: 'custom', custom: { name: 'g', input: 'x' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'done', ...mark },
        { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'done' }] },
        { role: 'assistant', content: null, function_call: { name: 'h', arguments: '{}' } },
        { role: 'function', name: 'h', content: 'done' },
      ],
    },
  },
  {
    id: 'chat-completions',
    from: 'options',
    body: {
      model: 'a/b',
      messages: [{ role: 'user', content: 'x' }],
      stream: false,
      stream_options: { include_usage: true },
      ...{ max_completion_tokens: 9, temperature: 1.5, top_p: 0.5, top_k: 3, n: 2, stop: ['a'], seed: 4 },
      ...{ presence_penalty: -1, frequency_penalty: 1, logit_bias: { '7': 3 }, logprobs: true, top_logprobs: 2 },
      tools: [
        { type: 'function', function: tool, ...mark },
        { type: 'custom', custom: { name: 'c' } },
        { type: 'web_search', ...search },
      ],
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }, { type: 'web_search' }] },
      },
      parallel_tool_calls: false,
      response_format: { type: 'json_object' },
      reasoning_effort: 'high',
      ...{ verbosity: 'low', service_tier: 'auto', safety_identifier: 's', prompt_cache_key: 'k' },
    },
  },
  {
    id: 'chat-completions',
    from: 'older words',
    body: {
      messages: [{ role: 'user', content: 'x' }],
      ...{ functions: [tool], function_call: { name: 'f' }, stop: 'a', reasoning_effort: 512, max_tokens: 9, user: 'u' },
      web_search_options: search,
    },
  },
  {
    id: 'responses',
    from: 'history',
    body: {
      model: 'a/b',
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'x', ...mark }] },
        {
          role: 'user',
          content: [
            { type: 'input_image', image_url: PIXEL, detail: 'auto' },
            { type: 'input_file', filename: 'a.pdf', file_data: PDF },
          ],
        },
        { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'e' },
        {
          role: 'assistant',
          content: [
            { type: 'output_text', text: 'a', annotations: [] },
            { type: 'refusal', refusal: 'no' },
          ],
        },
        { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: 'done' },
        { type: 'custom_tool_call', call_id: 'c2', name: 'g', input: 'x' },
        { type: 'custom_tool_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'done' }] },
        { type: 'web_search_call', id: 'w', status: 'completed', action: { type: 'search', query: 'q', sources: [] } },
        { type: 'mcp_list_tools', id: 'm' },
      ],
    },
  },
  {
    id: 'responses',
    from: 'options',
    body: {
      model: 'a/b',
      input: 'x',
      ...{ instructions: 'i', stream: true, max_output_tokens: 9, temperature: 1, top_p: 1, top_logprobs: 3 },
      ...{ presence_penalty: 1, frequency_penalty: 1, parallel_tool_calls: true, background: false, service_tier: 'auto' },
      tools: [
        { type: 'function', ...tool },
        { type: 'custom', name: 'c' },
        { type: 'namespace', name: 'n', tools: [{ type: 'function', ...tool }] },
        { type: 'web_search', filters: { allowed_domains: ['a.example'] }, search_context_size: 'high' },
        { type: 'file_search', vector_store_ids: ['v'] },
      ],
      tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'f' }, { type: 'web_search' }] },
      text: { format: { type: 'json_schema', name: 'a', schema: { type: 'object' } }, verbosity: 'low' },
      reasoning: { effort: 'low', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      ...{ user: 'u', prompt_cache_key: 'k' },
    },
  },
  {
    id: 'messages',
    from: 'history',
    body: {
      model: 'a/b',
      max_tokens: 9,
      system: [{ type: 'text', text: 's', ...mark }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'x' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
            { type: 'document', source: { type: 'text', data: 'd' }, title: 't', citations: { enabled: true } },
            { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'c' }] } },
            { type: 'search_result', source: 'https://a.example', title: 't', content: [{ type: 'text', text: 'c' }] },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 's' },
            { type: 'redacted_thinking', data: 'r' },
            { type: 'text', text: 'a', citations: [{ type: 'char_location', cited_text: 'c' }] },
            { type: 'server_tool_use', id: 'w', name: 'web_search', input: { query: 'q' } },
            { type: 'web_search_tool_result', tool_use_id: 'w', content: [{ type: 'web_search_result', url: 'https://a.example' }] },
            { type: 'tool_use', id: 'c1', name: 'f', input: {} },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'done' }], is_error: false }] },
        { role: 'system', content: 'later' },
      ],
    },
  },
  {
    id: 'messages',
    from: 'options',
    body: {
      model: 'a/b',
      max_tokens: 2000,
      messages: [{ role: 'user', content: 'x' }],
      ...{ system: 's', stream: true, temperature: 2, top_p: 1, top_k: 0, stop_sequences: ['a'], service_tier: 'auto' },
      metadata: { user_id: 'u' },
      tools: [
        { name: 'f', description: 'd', input_schema: { type: 'object' }, strict: true, ...mark },
        { type: 'web_search_20250305', name: 'web_search', ...search },
        { type: 'bash_20250124', name: 'bash' },
      ],
      tool_choice: { type: 'tool', name: 'f', disable_parallel_tool_use: true },
      thinking: { type: 'enabled', budget_tokens: 1024 },
      output_config: { effort: 'low', format: { type: 'json_schema', schema: { type: 'object' } } },
      ...mark,
    },
  },
] as const satisfies readonly { id: string; from: string; body: Record<string, unknown> }[];
