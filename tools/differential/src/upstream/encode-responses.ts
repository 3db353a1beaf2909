import { eventFrame, USAGE, words, type Encoded } from './encoded';
import type { Content, Question, Usage } from './reply';

type Item = {
  readonly whole: Readonly<Record<string, unknown>>;
  readonly events: (at: number) => readonly Event[];
  readonly start: object;
};
type Event = { readonly type: string } & Readonly<Record<string, unknown>>;

/** A reply of the responses dialect, as OpenAI writes it. */
export function encodeResponses(content: Content, { model }: Question): Encoded {
  const items = itemsOf(content);
  const usage = content.usage === 'none' ? null : responsesUsage(content.usage ?? USAGE);
  const base = {
    id: 'resp_upstream0001',
    object: 'response',
    created_at: 1_700_000_000,
    model,
    error: null,
    incomplete_details: null,
    ...content.extra,
  };
  const isCut = content.finish === 'length';
  const whole = {
    ...base,
    status: isCut ? 'incomplete' : 'completed',
    ...(isCut ? { incomplete_details: { reason: 'max_output_tokens' } } : {}),
    output: items.map((item) => item.whole),
    usage,
  };
  const begun = { ...base, status: 'in_progress', output: [], usage: null };
  const events: Event[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...items.flatMap((item, at) => [
      { type: 'response.output_item.added', output_index: at, item: item.start },
      ...item.events(at),
      { type: 'response.output_item.done', output_index: at, item: item.whole },
    ]),
    { type: isCut ? 'response.incomplete' : 'response.completed', response: whole },
  ];
  return { whole, frames: events.map((event, sequence_number) => eventFrame({ ...event, sequence_number })) };
}

function itemsOf({ text, reasoning, refusal, tools = [] }: Content): Item[] {
  return [
    ...(reasoning === undefined ? [] : [reasoningItem(reasoning)]),
    ...(text === undefined ? [] : [messageItem('output_text', 'text', text)]),
    ...(refusal === undefined ? [] : [messageItem('refusal', 'refusal', refusal)]),
    ...tools.map(toolItem),
  ];
}

function messageItem(type: string, member: string, text: string): Item {
  const id = `msg_upstream_${type}`;
  const part = { type, [member]: text, ...(type === 'output_text' ? { annotations: [], logprobs: [] } : {}) };
  const item = { id, type: 'message', role: 'assistant' };
  return {
    start: { ...item, status: 'in_progress', content: [] },
    whole: { ...item, status: 'completed', content: [part] },
    events: (at) => {
      const place = { item_id: id, output_index: at, content_index: 0 };
      return [
        { type: 'response.content_part.added', ...place, part: { ...part, [member]: '' } },
        ...words(text).map((delta) => ({ type: `response.${type}.delta`, ...place, delta })),
        { type: `response.${type}.done`, ...place, [member]: text },
        { type: 'response.content_part.done', ...place, part },
      ];
    },
  };
}

function reasoningItem(text: string): Item {
  const item = { id: 'rs_upstream', type: 'reasoning' };
  const part = { type: 'summary_text', text };
  return {
    start: { ...item, summary: [] },
    whole: { ...item, summary: [part] },
    events: (at) => {
      const place = { item_id: item.id, output_index: at, summary_index: 0 };
      return [
        { type: 'response.reasoning_summary_part.added', ...place, part: { ...part, text: '' } },
        ...words(text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...place, delta })),
        { type: 'response.reasoning_summary_text.done', ...place, text },
        { type: 'response.reasoning_summary_part.done', ...place, part },
      ];
    },
  };
}

function toolItem({ name, arguments: all }: { name: string; arguments: string }, index: number): Item {
  const item = { id: `fc_upstream_${index}`, type: 'function_call', call_id: `call_upstream_${index}`, name };
  return {
    start: { ...item, status: 'in_progress', arguments: '' },
    whole: { ...item, status: 'completed', arguments: all },
    events: (at) => [
      ...words(all).map((delta) => ({ type: 'response.function_call_arguments.delta', item_id: item.id, output_index: at, delta })),
      { type: 'response.function_call_arguments.done', item_id: item.id, output_index: at, arguments: all },
    ],
  };
}

function responsesUsage({ input, output, cached = 0, reasoning = 0 }: Usage): object {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}
