import type { ReplyPlan } from './plan-reply';

/** How a simulated provider writes one kind of reply. Each token is four characters and, streamed, one frame. */
export type Wire = {
  readonly open: (asked: Asked) => string;
  readonly token: (asked: Asked, index: number) => string;
  readonly close: (asked: Asked) => string;
  readonly whole: (asked: Asked) => string;
};

export type Asked = { readonly plan: ReplyPlan; readonly model: string };

const TOKEN = 'tok ';
const CREATED = 1_790_000_000;

const chatCompletions: Wire = {
  open: (asked) => frame({ ...chunkOf(asked), choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] }),
  token: (asked) => frame({ ...chunkOf(asked), choices: [{ index: 0, delta: { content: TOKEN }, finish_reason: null }] }),
  close: (asked) =>
    frame({ ...chunkOf(asked), choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
    frame({ ...chunkOf(asked), choices: [], usage: chatUsage(asked.plan) }) +
    'data: [DONE]\n\n',
  whole: (asked) =>
    JSON.stringify({
      ...chunkOf(asked),
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: textOf(asked.plan) }, finish_reason: 'stop' }],
      usage: chatUsage(asked.plan),
    }),
};

const messages: Wire = {
  open: (asked) =>
    event('message_start', {
      message: { ...messageOf(asked), content: [], stop_reason: null, usage: { input_tokens: asked.plan.promptTokens, output_tokens: 1 } },
    }) + event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  token: () => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: TOKEN } }),
  close: ({ plan }) =>
    event('content_block_stop', { index: 0 }) +
    event('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: plan.outputTokens } }) +
    event('message_stop', {}),
  whole: (asked) =>
    JSON.stringify({
      ...messageOf(asked),
      content: [{ type: 'text', text: textOf(asked.plan) }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: asked.plan.promptTokens, output_tokens: asked.plan.outputTokens },
    }),
};

const ITEM = 'msg_1';
const responses: Wire = {
  open: (asked) =>
    event('response.created', { response: responseOf(asked, 'in_progress') }) +
    event('response.output_item.added', { output_index: 0, item: itemOf('in_progress', '') }) +
    event('response.content_part.added', { item_id: ITEM, output_index: 0, content_index: 0, part: partOf('') }),
  token: () => event('response.output_text.delta', { item_id: ITEM, output_index: 0, content_index: 0, delta: TOKEN, logprobs: [] }),
  close: (asked) => {
    const text = textOf(asked.plan);
    return (
      event('response.output_text.done', { item_id: ITEM, output_index: 0, content_index: 0, text, logprobs: [] }) +
      event('response.content_part.done', { item_id: ITEM, output_index: 0, content_index: 0, part: partOf(text) }) +
      event('response.output_item.done', { output_index: 0, item: itemOf('completed', text) }) +
      event('response.completed', { response: responseOf(asked, 'completed') })
    );
  },
  whole: (asked) => JSON.stringify(responseOf(asked, 'completed')),
};

const embeddings: Wire = {
  open: () => '',
  token: () => '',
  close: () => '',
  whole: ({ plan, model }) =>
    JSON.stringify({
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [0.5, -0.25] }],
      model,
      usage: { prompt_tokens: plan.promptTokens, total_tokens: plan.promptTokens },
    }),
};

export const WIRES: Readonly<Record<string, Wire>> = {
  '/chat/completions': chatCompletions,
  '/messages': messages,
  '/responses': responses,
  '/embeddings': embeddings,
};

function frame(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function event(type: string, data: object): string {
  return `event: ${type}\n${frame({ type, ...data })}`;
}

function textOf(plan: ReplyPlan): string {
  return TOKEN.repeat(plan.outputTokens);
}

function chunkOf({ plan, model }: Asked): object {
  return { id: `chatcmpl-${plan.seed}`, object: 'chat.completion.chunk', created: CREATED, model };
}

function chatUsage({ promptTokens, outputTokens }: ReplyPlan): object {
  return { prompt_tokens: promptTokens, completion_tokens: outputTokens, total_tokens: promptTokens + outputTokens };
}

function messageOf({ plan, model }: Asked): object {
  return { id: `msg_${plan.seed}`, type: 'message', role: 'assistant', model };
}

function partOf(text: string): object {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function itemOf(status: string, text: string): object {
  return { id: ITEM, type: 'message', status, role: 'assistant', content: text === '' ? [] : [partOf(text)] };
}

function responseOf({ plan, model }: Asked, status: 'in_progress' | 'completed'): object {
  const isDone = status === 'completed';
  const { promptTokens, outputTokens } = plan;
  return {
    id: `resp_${plan.seed}`,
    object: 'response',
    created_at: CREATED,
    status,
    model,
    output: isDone ? [itemOf('completed', textOf(plan))] : [],
    usage: isDone
      ? {
          input_tokens: promptTokens,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: outputTokens,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: promptTokens + outputTokens,
        }
      : null,
    error: null,
    incomplete_details: null,
    tools: [],
    tool_choice: 'auto',
    parallel_tool_calls: true,
  };
}
