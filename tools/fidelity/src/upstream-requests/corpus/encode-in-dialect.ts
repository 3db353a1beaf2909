import type { ChatDialect } from '@weir/contracts';
import type { AnsweredPart, AskedPart, Conversation, ToolWords, Turn } from './conversation';

type Json = Record<string, unknown>;

const MAX_TOKENS = 1024;
/** What clients of Messages, who think in budgets, ask for. */
const BUDGETS = { low: 2048, medium: 8192, high: 16_384 } as const;

/** A conversation as a request of one dialect. */
export function encodeInDialect(dialect: ChatDialect, conversation: Conversation, model: string): Json {
  const encoded = { 'chat-completions': encodeChat, responses: encodeResponses, messages: encodeMessages }[dialect](conversation);
  return withoutUndefined({ model, ...encoded, ...(conversation.isStream === true ? { stream: true } : {}) });
}

function withoutUndefined(body: Json): Json {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

function imageUrl(part: Extract<AskedPart, { kind: 'image' | 'inline-image' }>): string {
  return part.kind === 'image' ? part.url : `data:image/png;base64,${part.data}`;
}

function pdfUrl(data: string): string {
  return `data:application/pdf;base64,${data}`;
}

function encodeChat({ system, turns, tools, choice, schema, search, ...wishes }: Conversation): Json {
  const offered = [
    ...(tools ?? []).map((tool) => ({ type: 'function', function: tool })),
    ...(search === true ? [{ type: 'web_search' }] : []),
  ];
  return {
    messages: [...(system === undefined ? [] : [{ role: 'system', content: system }]), ...turns.flatMap(toChatMessages)],
    max_completion_tokens: wishes.maxTokens,
    temperature: wishes.temperature,
    top_p: wishes.topP,
    seed: wishes.seed,
    stop: wishes.stop,
    reasoning_effort: wishes.effort,
    tools: offered.length === 0 ? undefined : offered,
    tool_choice: typeof choice === 'object' ? { type: 'function', function: { name: choice.tool } } : choice,
    parallel_tool_calls: wishes.isSerial === true ? false : undefined,
    response_format: schema === undefined ? undefined : { type: 'json_schema', json_schema: { ...schema, strict: true } },
  };
}

function toChatMessages(turn: Turn): Json[] {
  if (turn.role === 'tool') return turn.results.map(({ id, output }) => ({ role: 'tool', tool_call_id: id, content: output }));
  if (turn.role === 'user') return [{ role: 'user', content: onlyText(turn.parts) ?? turn.parts.map(toChatPart) }];
  const calls = turn.parts.flatMap((part) => (part.kind === 'call' ? [part] : []));
  return [
    withoutUndefined({
      role: 'assistant',
      content: textOf(turn.parts),
      tool_calls:
        calls.length === 0
          ? undefined
          : calls.map(({ id, name, input }) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(input) } })),
    }),
  ];
}

function onlyText(parts: readonly AskedPart[]): string | undefined {
  const [first] = parts;
  return parts.length === 1 && first?.kind === 'text' ? first.text : undefined;
}

function textOf(parts: readonly AnsweredPart[]): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

function toChatPart(part: AskedPart): Json {
  if (part.kind === 'text') return { type: 'text', text: part.text };
  if (part.kind === 'pdf') return { type: 'file', file: { filename: part.filename, file_data: pdfUrl(part.data) } };
  return { type: 'image_url', image_url: { url: imageUrl(part) } };
}

function encodeResponses({ system, turns, tools, choice, schema, search, ...wishes }: Conversation): Json {
  const offered = [
    ...(tools ?? []).map((tool) => ({ type: 'function', ...tool, strict: false })),
    ...(search === true ? [{ type: 'web_search' }] : []),
  ];
  return {
    instructions: system,
    input: turns.flatMap(toItems),
    store: false,
    max_output_tokens: wishes.maxTokens,
    temperature: wishes.temperature,
    top_p: wishes.topP,
    reasoning: wishes.effort === undefined ? undefined : { effort: wishes.effort },
    tools: offered.length === 0 ? undefined : offered,
    tool_choice: typeof choice === 'object' ? { type: 'function', name: choice.tool } : choice,
    parallel_tool_calls: wishes.isSerial === true ? false : undefined,
    text: schema === undefined ? undefined : { format: { type: 'json_schema', ...schema, strict: true } },
  };
}

function toItems(turn: Turn): Json[] {
  if (turn.role === 'tool') return turn.results.map(({ id, output }) => ({ type: 'function_call_output', call_id: id, output }));
  if (turn.role === 'user') return [{ role: 'user', content: turn.parts.map(toInputPart) }];
  return turn.parts.map((part) =>
    part.kind === 'text'
      ? { role: 'assistant', content: [{ type: 'output_text', text: part.text }] }
      : { type: 'function_call', call_id: part.id, name: part.name, arguments: JSON.stringify(part.input) },
  );
}

function toInputPart(part: AskedPart): Json {
  if (part.kind === 'text') return { type: 'input_text', text: part.text };
  if (part.kind === 'pdf') return { type: 'input_file', filename: part.filename, file_data: pdfUrl(part.data) };
  return { type: 'input_image', image_url: imageUrl(part), detail: 'auto' };
}

function encodeMessages({ system, turns, tools, choice, schema, search, ...wishes }: Conversation): Json {
  const offered = [...(tools ?? []).map(toMessagesTool), ...(search === true ? [{ type: 'web_search_20250305', name: 'web_search' }] : [])];
  return {
    max_tokens: wishes.maxTokens ?? MAX_TOKENS,
    system,
    messages: turns.map(toMessage),
    temperature: wishes.temperature,
    top_p: wishes.topP,
    stop_sequences: wishes.stop,
    thinking: wishes.effort === undefined ? undefined : { type: 'enabled', budget_tokens: BUDGETS[wishes.effort] },
    tools: offered.length === 0 ? undefined : offered,
    tool_choice: toMessagesChoice(choice, wishes.isSerial === true),
    output_config: schema === undefined ? undefined : { format: { type: 'json_schema', schema: schema.schema } },
  };
}

function toMessagesTool({ name, description, parameters }: ToolWords): Json {
  return { name, description, input_schema: parameters };
}

function toMessagesChoice(choice: Conversation['choice'], isSerial: boolean): Json | undefined {
  if (choice === undefined) return isSerial ? { type: 'auto', disable_parallel_tool_use: true } : undefined;
  if (typeof choice === 'object') return { type: 'tool', name: choice.tool };
  return { type: choice === 'required' ? 'any' : choice };
}

function toMessage(turn: Turn): Json {
  if (turn.role === 'tool') {
    return { role: 'user', content: turn.results.map(({ id, output }) => ({ type: 'tool_result', tool_use_id: id, content: output })) };
  }
  if (turn.role === 'user') return { role: 'user', content: turn.parts.map(toBlock) };
  return {
    role: 'assistant',
    content: turn.parts.map((part) =>
      part.kind === 'text' ? { type: 'text', text: part.text } : { type: 'tool_use', id: part.id, name: part.name, input: part.input },
    ),
  };
}

function toBlock(part: AskedPart): Json {
  if (part.kind === 'text') return { type: 'text', text: part.text };
  if (part.kind === 'image') return { type: 'image', source: { type: 'url', url: part.url } };
  if (part.kind === 'inline-image') return { type: 'image', source: { type: 'base64', media_type: 'image/png', data: part.data } };
  return { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: part.data }, title: part.filename };
}
