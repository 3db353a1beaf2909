import type { EventLog } from '../../streams/create-event-log';
import { asRecord, asText, type JsonRecord } from '../../wire/json-value';
import { callIdOf, decodeAnnotation, decodeItem, decodeSearch, type DecodeContext } from './decode-items';

/** The output items of one response as they stream in. */
export type ItemStreams = {
  take(event: JsonRecord): void;
  /** Ends what the provider left open. */
  closeAll(): void;
  hasToolCalls(): boolean;
  /** What the provider ran itself, as far as its fees depend on it, as it was when it ended. */
  hosted(): readonly JsonRecord[];
};

type PartKind = 'text' | 'refusal';
type Item = {
  readonly type: string;
  readonly raw: JsonRecord;
  /** The open block: the item's own, or of its present part. -1 while none is open. */
  block: number;
  part: { readonly kind: PartKind; readonly index: number } | null;
  hasText: boolean;
  /** The paragraph of the summary, or the part of the reasoning, that the last delta belonged to. */
  paragraph: number;
};
type Streams = {
  readonly log: EventLog;
  readonly context: DecodeContext;
  readonly open: Map<number, Item>;
  toolCalls: number;
  readonly hosted: JsonRecord[];
};

const choice = 0;
const START = { text: 'text-start', refusal: 'refusal-start' } as const;
const END = { text: 'text-end', refusal: 'refusal-end' } as const;

export function createItemStreams(log: EventLog, context: DecodeContext): ItemStreams {
  const streams: Streams = { log, context, open: new Map(), toolCalls: 0, hosted: [] };
  const { open } = streams;
  return {
    take(event) {
      const index = event['output_index'];
      if (typeof index !== 'number') return;
      const raw = asRecord(event['item']);
      const item = open.get(index);
      if (event['type'] === 'response.output_item.added' && raw !== undefined) open.set(index, begin(streams, raw));
      else if (event['type'] === 'response.output_item.done' && raw !== undefined) {
        end(streams, item ?? begin(streams, raw), raw);
        open.delete(index);
      } else if (item !== undefined) extend(log, item, event);
    },
    closeAll() {
      for (const item of open.values()) end(streams, item, item.raw);
      open.clear();
    },
    hasToolCalls: () => streams.toolCalls > 0,
    hosted: () => streams.hosted,
  };
}

function begin(streams: Streams, raw: JsonRecord): Item {
  const { log } = streams;
  const type = asText(raw['type']) ?? '';
  const item: Item = { type, raw, block: -1, part: null, hasText: false, paragraph: 0 };
  if (isCall(type)) {
    streams.toolCalls += 1;
    item.block = log.nextBlock();
    const kind = type === 'function_call' ? 'function' : 'custom';
    log.add({ type: 'tool-call-start', choice, block: item.block, id: callIdOf(raw), name: asText(raw['name']) ?? '', kind });
  } else if (type === 'web_search_call') {
    item.block = log.nextBlock();
    log.add({ type: 'web-search-start', choice, block: item.block, id: asText(raw['id']) ?? '', query: decodeSearch(raw).query });
  }
  return item;
}

function isCall(type: string): boolean {
  return type === 'function_call' || type === 'custom_tool_call';
}

function extend(log: EventLog, item: Item, event: JsonRecord): void {
  switch (event['type']) {
    case 'response.output_text.delta':
      return addProse(log, item, 'text', event);
    case 'response.refusal.delta':
      return addProse(log, item, 'refusal', event);
    case 'response.output_text.annotation.added':
      if (item.part?.kind === 'text') addCitations(log, item.block, event['annotation']);
      return;
    case 'response.reasoning_summary_text.delta':
      return addReasoning(log, item, true, event);
    case 'response.reasoning_text.delta':
    case 'response.reasoning.delta':
      return addReasoning(log, item, false, event);
    case 'response.function_call_arguments.delta':
    case 'response.custom_tool_call_input.delta':
      return addArguments(log, item, asText(event['delta']));
    default:
  }
}

function openPart(log: EventLog, item: Item, part: { readonly kind: PartKind; readonly index: number }): void {
  if (item.part?.kind === part.kind && item.part.index === part.index) return;
  closePart(log, item);
  item.block = log.nextBlock();
  item.part = part;
  log.add({ type: START[part.kind], choice, block: item.block });
}

function closePart(log: EventLog, item: Item): void {
  if (item.part !== null) log.add({ type: END[item.part.kind], choice, block: item.block });
  item.part = null;
}

function openReasoning(log: EventLog, item: Item, isSummary: boolean): void {
  if (item.block !== -1) return;
  item.block = log.nextBlock();
  log.add({ type: 'reasoning-start', choice, block: item.block, ...(isSummary ? { isSummary } : {}) });
}

function addProse(log: EventLog, item: Item, kind: PartKind, event: JsonRecord): void {
  const text = asText(event['delta']);
  if (text === undefined) return;
  openPart(log, item, { kind, index: typeof event['content_index'] === 'number' ? event['content_index'] : 0 });
  item.hasText = true;
  const logprobs = event['logprobs'];
  if (kind === 'refusal') return log.add({ type: 'refusal-delta', choice, block: item.block, text });
  const reported = Array.isArray(logprobs) && logprobs.length > 0 ? { logprobs: { content: logprobs } } : {};
  log.add({ type: 'text-delta', choice, block: item.block, text, ...reported });
}

function addCitations(log: EventLog, block: number, annotation: unknown): void {
  for (const citation of decodeAnnotation(annotation)) log.add({ type: 'citation', choice, block, citation });
}

function addReasoning(log: EventLog, item: Item, isSummary: boolean, event: JsonRecord): void {
  const text = asText(event['delta']);
  if (text === undefined) return;
  openReasoning(log, item, isSummary);
  const reported = event[isSummary ? 'summary_index' : 'content_index'];
  const paragraph = typeof reported === 'number' ? reported : 0;
  const gap = item.hasText && paragraph !== item.paragraph ? '\n\n' : '';
  item.paragraph = paragraph;
  item.hasText = true;
  log.add({ type: 'reasoning-delta', choice, block: item.block, text: gap + text });
}

function addArguments(log: EventLog, item: Item, text: string | undefined): void {
  if (text === undefined || !isCall(item.type)) return;
  item.hasText = true;
  log.add({ type: 'tool-call-delta', choice, block: item.block, argumentsText: text });
}

function end(streams: Streams, item: Item, raw: JsonRecord): void {
  const { log, context } = streams;
  if (item.type === 'message') endMessage(streams, item, raw);
  else if (item.type === 'reasoning') endReasoning(streams, item, raw);
  else if (isCall(item.type)) endCall(log, item, raw);
  else if (item.type === 'web_search_call') {
    noteHosted(streams, raw);
    log.add({ type: 'web-search-end', choice, block: item.block, ...decodeSearch(raw) });
  } else {
    const content = decodeItem(raw, context)[0];
    if (content?.type !== 'opaque') return;
    noteHosted(streams, raw);
    log.add({ type: 'opaque', choice, block: log.nextBlock(), content });
  }
}

/** Keeps what identifies a call, not what it made: pictures have megabytes. */
function noteHosted({ hosted }: Streams, { type, status, action }: JsonRecord): void {
  hosted.push({ type, status, action });
}

/** Providers that stream no deltas give the text with the item's end. */
function endMessage({ log, context }: Streams, item: Item, raw: JsonRecord): void {
  closePart(log, item);
  if (item.hasText) return;
  decodeItem(raw, context).forEach((block, index) => {
    if (block.type !== 'text' && block.type !== 'refusal') return;
    openPart(log, item, { kind: block.type, index });
    log.add({ type: `${block.type}-delta`, choice, block: item.block, text: block.text });
    const citations = block.type === 'text' ? (block.citations ?? []) : [];
    for (const citation of citations) log.add({ type: 'citation', choice, block: item.block, citation });
    closePart(log, item);
  });
}

function endReasoning({ log, context }: Streams, item: Item, raw: JsonRecord): void {
  const whole = decodeItem(raw, context)[0];
  if (whole?.type !== 'reasoning') return;
  openReasoning(log, item, whole.isSummary === true);
  if (!item.hasText && whole.text !== '') log.add({ type: 'reasoning-delta', choice, block: item.block, text: whole.text });
  if (whole.state !== undefined) log.add({ type: 'reasoning-state', choice, block: item.block, state: whole.state });
  log.add({ type: 'reasoning-end', choice, block: item.block });
}

function endCall(log: EventLog, item: Item, raw: JsonRecord): void {
  const isFunction = item.type === 'function_call';
  if (!item.hasText) addArguments(log, item, asText(raw[isFunction ? 'arguments' : 'input']) ?? (isFunction ? '{}' : undefined));
  log.add({ type: 'tool-call-end', choice, block: item.block });
}
