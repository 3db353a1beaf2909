import { eventFrame, USAGE, words, type Encoded } from './encoded';
import type { Content, Question, Usage } from './reply';

type Block = { readonly start: object; readonly deltas: readonly object[]; readonly whole: object };

/** A reply of the messages dialect, as Anthropic writes it. */
export function encodeMessages(content: Content, { model }: Question): Encoded {
  const usage = content.usage === 'none' ? undefined : (content.usage ?? USAGE);
  const counts = usage === undefined ? {} : messagesUsage(usage);
  const head = { id: 'msg_upstream0001', type: 'message', role: 'assistant', model, ...content.extra };
  const stop = { stop_reason: stopOf(content), stop_sequence: null };
  const blocks = blocksOf(content);
  const start = {
    ...head,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    ...(usage === undefined ? {} : { usage: { ...counts, output_tokens: 1 } }),
  };
  const frames = [
    eventFrame({ type: 'message_start', message: start }),
    eventFrame({ type: 'ping' }),
    ...blocks.flatMap(({ start: block, deltas }, index) => [
      eventFrame({ type: 'content_block_start', index, content_block: block }),
      ...deltas.map((delta) => eventFrame({ type: 'content_block_delta', index, delta })),
      eventFrame({ type: 'content_block_stop', index }),
    ]),
    eventFrame({ type: 'message_delta', delta: stop, ...(usage === undefined ? {} : { usage: { output_tokens: usage.output } }) }),
    eventFrame({ type: 'message_stop' }),
  ];
  return {
    whole: { ...head, content: blocks.map(({ whole }) => whole), ...stop, ...(usage === undefined ? {} : { usage: counts }) },
    frames,
  };
}

function stopOf({ tools, finish, refusal }: Content): string {
  if (tools !== undefined) return 'tool_use';
  if (refusal !== undefined) return 'refusal';
  return finish === 'length' ? 'max_tokens' : 'end_turn';
}

function blocksOf({ text, reasoning, refusal, tools = [] }: Content): Block[] {
  const said = text ?? refusal;
  return [
    ...(reasoning === undefined ? [] : [thinking(reasoning)]),
    ...(said === undefined
      ? []
      : [
          {
            start: { type: 'text', text: '' },
            deltas: words(said).map((word) => ({ type: 'text_delta', text: word })),
            whole: { type: 'text', text: said },
          },
        ]),
    ...tools.map(({ name, arguments: all }, at) => {
      const block = { type: 'tool_use', id: `toolu_upstream00000000000${at}`, name };
      return {
        start: { ...block, input: {} },
        deltas: words(all).map((part) => ({ type: 'input_json_delta', partial_json: part })),
        whole: { ...block, input: JSON.parse(all) as unknown },
      };
    }),
  ];
}

function thinking(text: string): Block {
  return {
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...words(text).map((word) => ({ type: 'thinking_delta', thinking: word })),
      { type: 'signature_delta', signature: 'c2lnbmF0dXJl' },
    ],
    whole: { type: 'thinking', thinking: text, signature: 'c2lnbmF0dXJl' },
  };
}

function messagesUsage({ input, output, cached = 0 }: Usage): object {
  return {
    input_tokens: input - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    output_tokens: output,
    service_tier: 'standard',
  };
}
