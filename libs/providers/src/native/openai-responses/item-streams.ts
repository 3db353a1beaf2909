import type { EventLog } from '../../streams/create-event-log';
import { asRecord, asText, type JsonRecord } from '../../wire/json-value';
import { callIdOf, decodeAnnotation, decodeItem, decodeSearch, isBilledSearch, type DecodeContext } from './decode-items';

/** The output items of one response as they stream in. */
export type ItemStreams = {
  take(event: JsonRecord): void;
  /** Ends what the provider left open. */
  closeAll(): void;
  hasToolCalls(): boolean;
  searchCount(): number;
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

const CHOICE = 0;
const START = { text: 'text-start', refusal: 'refusal-start' } as const;
const END = { text: 'text-end', refusal: 'refusal-end' } as const;

export function createItemStreams(log: EventLog, context: DecodeContext): ItemStreams {
  const open = new Map<number, Item>();
  let toolCalls = 0;
  let searches = 0;

  function begin(raw: JsonRecord): Item {
    const type = asText(raw['type']) ?? '';
    const item: Item = { type, raw, block: -1, part: null, hasText: false, paragraph: 0 };
    if (type === 'function_call' || type === 'custom_tool_call') {
      toolCalls += 1;
      item.block = log.nextBlock();
      const kind = type === 'function_call' ? 'function' : 'custom';
      log.add({ type: 'tool-call-start', choice: CHOICE, block: item.block, id: callIdOf(raw), name: asText(raw['name']) ?? '', kind });
    } else if (type === 'web_search_call') {
      item.block = log.nextBlock();
      log.add({ type: 'web-search-start', choice: CHOICE, block: item.block, id: asText(raw['id']) ?? '', query: decodeSearch(raw).query });
    }
    return item;
  }

  function closePart(item: Item): void {
    if (item.part !== null) log.add({ type: END[item.part.kind], choice: CHOICE, block: item.block });
    item.part = null;
  }

  function openPart(item: Item, kind: PartKind, index: number): void {
    if (item.part?.kind === kind && item.part.index === index) return;
    closePart(item);
    item.block = log.nextBlock();
    item.part = { kind, index };
    log.add({ type: START[kind], choice: CHOICE, block: item.block });
  }

  function openReasoning(item: Item, isSummary: boolean): void {
    if (item.block !== -1) return;
    item.block = log.nextBlock();
    log.add({ type: 'reasoning-start', choice: CHOICE, block: item.block, ...(isSummary ? { isSummary } : {}) });
  }

  function addProse(item: Item, kind: PartKind, event: JsonRecord): void {
    const text = asText(event['delta']);
    if (text === undefined) return;
    openPart(item, kind, typeof event['content_index'] === 'number' ? event['content_index'] : 0);
    item.hasText = true;
    const logprobs = event['logprobs'];
    if (kind === 'refusal') log.add({ type: 'refusal-delta', choice: CHOICE, block: item.block, text });
    else {
      const told = Array.isArray(logprobs) && logprobs.length > 0 ? { logprobs: { content: logprobs } } : {};
      log.add({ type: 'text-delta', choice: CHOICE, block: item.block, text, ...told });
    }
  }

  function addReasoning(item: Item, event: JsonRecord, isSummary: boolean): void {
    const text = asText(event['delta']);
    if (text === undefined) return;
    openReasoning(item, isSummary);
    const told = event[isSummary ? 'summary_index' : 'content_index'];
    const paragraph = typeof told === 'number' ? told : 0;
    const gap = item.hasText && paragraph !== item.paragraph ? '\n\n' : '';
    item.paragraph = paragraph;
    item.hasText = true;
    log.add({ type: 'reasoning-delta', choice: CHOICE, block: item.block, text: gap + text });
  }

  function addArguments(item: Item, text: string | undefined): void {
    if (text === undefined || item.block === -1) return;
    item.hasText = true;
    log.add({ type: 'tool-call-delta', choice: CHOICE, block: item.block, argumentsText: text });
  }

  function end(item: Item, raw: JsonRecord): void {
    if (item.type === 'message') endMessage(item, raw);
    else if (item.type === 'reasoning') endReasoning(item, raw);
    else if (item.type === 'function_call' || item.type === 'custom_tool_call') endCall(item, raw);
    else if (item.type === 'web_search_call') {
      if (isBilledSearch(raw)) searches += 1;
      log.add({ type: 'web-search-end', choice: CHOICE, block: item.block, ...decodeSearch(raw) });
    } else log.add({ type: 'opaque', choice: CHOICE, block: log.nextBlock(), content: { type: 'opaque', family: 'responses', raw } });
  }

  /** Providers that stream no deltas give the text with the item's end. */
  function endMessage(item: Item, raw: JsonRecord): void {
    closePart(item);
    if (item.hasText) return;
    for (const block of decodeItem(raw, context)) {
      if (block.type !== 'text' && block.type !== 'refusal') continue;
      openPart(item, block.type, -1);
      log.add({ type: `${block.type}-delta`, choice: CHOICE, block: item.block, text: block.text });
      for (const citation of block.type === 'text' ? (block.citations ?? []) : []) {
        log.add({ type: 'citation', choice: CHOICE, block: item.block, citation });
      }
      closePart(item);
    }
  }

  function endReasoning(item: Item, raw: JsonRecord): void {
    const whole = decodeItem(raw, context)[0];
    if (whole?.type !== 'reasoning') return;
    openReasoning(item, whole.isSummary === true);
    if (!item.hasText && whole.text !== '') log.add({ type: 'reasoning-delta', choice: CHOICE, block: item.block, text: whole.text });
    if (whole.state !== undefined) log.add({ type: 'reasoning-state', choice: CHOICE, block: item.block, state: whole.state });
    log.add({ type: 'reasoning-end', choice: CHOICE, block: item.block });
  }

  function endCall(item: Item, raw: JsonRecord): void {
    const isFunction = item.type === 'function_call';
    if (!item.hasText) addArguments(item, asText(raw[isFunction ? 'arguments' : 'input']) ?? (isFunction ? '{}' : undefined));
    log.add({ type: 'tool-call-end', choice: CHOICE, block: item.block });
  }

  function addDelta(item: Item, event: JsonRecord): void {
    switch (event['type']) {
      case 'response.output_text.delta':
        return addProse(item, 'text', event);
      case 'response.refusal.delta':
        return addProse(item, 'refusal', event);
      case 'response.output_text.annotation.added':
        if (item.part?.kind !== 'text') return;
        for (const citation of decodeAnnotation(event['annotation']))
          log.add({ type: 'citation', choice: CHOICE, block: item.block, citation });
        return;
      case 'response.reasoning_summary_text.delta':
        return addReasoning(item, event, true);
      case 'response.reasoning_text.delta':
      case 'response.reasoning.delta':
        return addReasoning(item, event, false);
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        return addArguments(item, asText(event['delta']));
      default:
    }
  }

  return {
    take(event) {
      const index = event['output_index'];
      if (typeof index !== 'number') return;
      const raw = asRecord(event['item']);
      const item = open.get(index);
      if (event['type'] === 'response.output_item.added' && raw !== undefined) open.set(index, begin(raw));
      else if (event['type'] === 'response.output_item.done' && raw !== undefined) {
        end(item ?? begin(raw), raw);
        open.delete(index);
      } else if (item !== undefined) addDelta(item, event);
    },
    closeAll() {
      for (const item of open.values()) end(item, item.raw);
      open.clear();
    },
    hasToolCalls: () => toolCalls > 0,
    searchCount: () => searches,
  };
}
