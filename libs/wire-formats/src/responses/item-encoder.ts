import { stringifyExactJson, type OpaqueState } from '@weir/canonical';
import { nameOpaque } from '../reply/name-opaque';
import { PICTURES_DROPPED } from '../reply/read-picture';
import { RESPONSES_FAMILY } from '../state/native-family';
import type { BlockEvent } from '../stream/block-events';
import { prepareDelta, type EventWriter, type PreparedDelta } from './event-writer';
import { createMessageEncoder, type MessageEncoder } from './message-encoder';
import {
  callItem,
  callPrefix,
  isToolSearch,
  itemId,
  pictureItem,
  reasoningItem,
  searchItem,
  toolStateItem,
  type Call,
  type ItemContext,
  type ItemStatus,
  type Search,
} from './output-items';

export type ItemEncoder = {
  /** Expects the events of one block after the other. */
  encode(event: BlockEvent): void;
  /** Ends the item that is still open; only the last one can have been cut off. */
  close(status: ItemStatus): void;
  /** JSON texts of the finished items. */
  readonly output: readonly string[];
  readonly message: MessageEncoder;
  /** JSON text of the item that is still open, as far as it got; undefined when none is. */
  peek(): string | undefined;
};

/** `delta` is undefined for a call whose arguments come whole, with its item. */
type OpenCall = { call: Call; argumentsText: string; delta: PreparedDelta | undefined };
type OpenThought = { id: string; isSummary: boolean; text: string; delta: PreparedDelta | undefined; state: OpaqueState | undefined };

type Draft = {
  readonly writer: EventWriter;
  readonly context: ItemContext;
  readonly output: string[];
  readonly message: MessageEncoder;
  call: OpenCall | undefined;
  thought: OpenThought | undefined;
  search: Search | undefined;
};

/** The items of the output, one after another. Messages and calls stay open until something follows, to know how they end. */
export function createItemEncoder(writer: EventWriter, context: ItemContext): ItemEncoder {
  const output: string[] = [];
  const draft: Draft = {
    writer,
    context,
    output,
    message: createMessageEncoder({ writer, context, output }),
    call: undefined,
    thought: undefined,
    search: undefined,
  };
  return {
    encode: (event) => encodeEvent(draft, event),
    close: (status) => closeItem(draft, status),
    output,
    message: draft.message,
    peek: () => stringifyExactJson(peek(draft)) as string | undefined,
  };
}

function encodeEvent(draft: Draft, event: BlockEvent): void {
  switch (event.type) {
    case 'text-delta':
    case 'refusal-delta':
      // Words that are none leave no trace: the call may still turn out to be the last item.
      if (draft.call !== undefined && event.text !== '') closeItem(draft, 'completed');
      return draft.message.encode(event);
    case 'citation':
    case 'text-start':
    case 'refusal-start':
    case 'text-end':
    case 'refusal-end':
      return draft.message.encode(event);
    case 'tool-call-delta':
      return addArguments(draft, event.argumentsText);
    case 'reasoning-delta':
      return addThought(draft, event.text);
    default:
      return encodeRare(draft, event);
  }
}

function encodeRare(draft: Draft, event: BlockEvent): void {
  switch (event.type) {
    case 'tool-call-start':
      return beginCall(draft, event);
    case 'tool-call-end':
      return endArguments(draft);
    case 'reasoning-start':
      return beginThought(draft, event.isSummary === true);
    case 'reasoning-state':
      if (draft.thought !== undefined) draft.thought.state = event.state;
      return;
    case 'reasoning-end':
      return endThought(draft);
    case 'web-search-start':
      return beginSearch(draft, event.query);
    case 'web-search-end':
      return endSearch(draft, event);
    case 'image': {
      const item = pictureItem(itemId('ig', draft.output.length, draft.context), event.source);
      if (item === undefined) draft.context.noteDropped?.(PICTURES_DROPPED);
      else addWhole(draft, item);
      return;
    }
    case 'opaque':
      if (event.content.family === RESPONSES_FAMILY) addWhole(draft, event.content.raw);
      else draft.context.noteDropped?.(nameOpaque(event.content));
      return;
    default:
  }
}

function peek({ message, call, thought, search, context }: Draft): unknown {
  if (call !== undefined) return callItem({ ...call.call, argumentsText: call.argumentsText }, 'incomplete', context.names);
  if (thought !== undefined) return reasoningItem({ ...thought, itemId: thought.id });
  return search === undefined ? message.peek() : searchItem(search, 'failed', context);
}

function closeItem(draft: Draft, status: ItemStatus): void {
  draft.message.close(status);
  const open = draft.call;
  if (open === undefined) return;
  draft.call = undefined;
  finishItem(draft, callItem({ ...open.call, argumentsText: open.argumentsText }, status, draft.context.names));
}

/** Announces an item; returns nothing, its index is the number of finished items. */
function addItem(draft: Draft, item: unknown): void {
  draft.writer.emit('response.output_item.added', `"output_index":${draft.output.length},"item":${stringifyExactJson(item)}`);
}

function finishItem(draft: Draft, item: unknown): void {
  const text = stringifyExactJson(item);
  draft.writer.emit('response.output_item.done', `"output_index":${draft.output.length},"item":${text}`);
  draft.output.push(text);
}

function addWhole(draft: Draft, item: unknown): void {
  closeItem(draft, 'completed');
  addItem(draft, item);
  finishItem(draft, item);
}

function placeOf(draft: Draft, id: string): string {
  return `"item_id":"${id}","output_index":${draft.output.length}`;
}

function beginCall(draft: Draft, event: Extract<BlockEvent, { type: 'tool-call-start' }>): void {
  closeItem(draft, 'completed');
  if (event.state !== undefined) {
    addWhole(draft, toolStateItem(itemId('rs', draft.output.length, draft.context), event.id, event.state));
  }
  const { names } = draft.context;
  const id = itemId(callPrefix(event, names), draft.output.length, draft.context);
  const call: Call = { itemId: id, callId: event.id, name: event.name, kind: event.kind, argumentsText: '' };
  addItem(draft, callItem(call, 'in_progress', names));
  const type = event.kind === 'custom' ? 'response.custom_tool_call_input.delta' : 'response.function_call_arguments.delta';
  const delta = isToolSearch(event, names) ? undefined : prepareDelta(type, placeOf(draft, id));
  draft.call = { call, argumentsText: '', delta };
}

function addArguments(draft: Draft, piece: string): void {
  const open = draft.call;
  if (open === undefined || piece === '') return;
  open.argumentsText += piece;
  if (open.delta !== undefined) draft.writer.emitDelta(open.delta, JSON.stringify(piece));
}

function endArguments(draft: Draft): void {
  const open = draft.call;
  if (open?.delta === undefined) return;
  const place = placeOf(draft, open.call.itemId);
  const text = JSON.stringify(open.argumentsText);
  if (open.call.kind === 'custom') return draft.writer.emit('response.custom_tool_call_input.done', `${place},"input":${text}`);
  const name = JSON.stringify(draft.context.names.namespaced.get(open.call.name)?.name ?? open.call.name);
  draft.writer.emit('response.function_call_arguments.done', `${place},"name":${name},"arguments":${text}`);
}

function beginThought(draft: Draft, isSummary: boolean): void {
  closeItem(draft, 'completed');
  const id = itemId('rs', draft.output.length, draft.context);
  addItem(draft, { id, type: 'reasoning', summary: [] });
  draft.thought = { id, isSummary, text: '', delta: undefined, state: undefined };
}

function addThought(draft: Draft, piece: string): void {
  const open = draft.thought;
  if (open === undefined || piece === '') return;
  open.delta ??= openThoughtPart(draft, open);
  open.text += piece;
  draft.writer.emitDelta(open.delta, JSON.stringify(piece));
}

function openThoughtPart(draft: Draft, open: OpenThought): PreparedDelta {
  const place = placeOfThought(draft, open);
  if (open.isSummary) {
    draft.writer.emit('response.reasoning_summary_part.added', `${place},"part":{"type":"summary_text","text":""}`);
    return prepareDelta('response.reasoning_summary_text.delta', place);
  }
  draft.writer.emit('response.content_part.added', `${place},"part":{"type":"reasoning_text","text":""}`);
  return prepareDelta('response.reasoning_text.delta', place);
}

function placeOfThought(draft: Draft, open: OpenThought): string {
  return `${placeOf(draft, open.id)},${open.isSummary ? '"summary_index":0' : '"content_index":0'}`;
}

function endThought(draft: Draft): void {
  const open = draft.thought;
  if (open === undefined) return;
  draft.thought = undefined;
  if (open.delta !== undefined) {
    const place = placeOfThought(draft, open);
    const text = JSON.stringify(open.text);
    const [done, part] = open.isSummary ? ['reasoning_summary_text', 'reasoning_summary_part'] : ['reasoning_text', 'content_part'];
    const type = open.isSummary ? 'summary_text' : 'reasoning_text';
    draft.writer.emit(`response.${done}.done`, `${place},"text":${text}`);
    draft.writer.emit(`response.${part}.done`, `${place},"part":{"type":"${type}","text":${text}}`);
  }
  finishItem(draft, reasoningItem({ itemId: open.id, text: open.text, isSummary: open.isSummary, state: open.state }));
}

function beginSearch(draft: Draft, query: string): void {
  closeItem(draft, 'completed');
  const id = itemId('ws', draft.output.length, draft.context);
  draft.search = { itemId: id, query, results: [], isFailed: false };
  addItem(draft, searchItem(draft.search, 'in_progress', draft.context));
  draft.writer.emit('response.web_search_call.in_progress', placeOf(draft, id));
  draft.writer.emit('response.web_search_call.searching', placeOf(draft, id));
}

function endSearch(draft: Draft, event: Extract<BlockEvent, { type: 'web-search-end' }>): void {
  const open = draft.search;
  if (open === undefined) return;
  draft.search = undefined;
  const search: Search = { ...open, query: event.query, results: event.results, isFailed: event.errorCode !== undefined };
  draft.writer.emit('response.web_search_call.completed', placeOf(draft, search.itemId));
  finishItem(draft, searchItem(search, search.isFailed ? 'failed' : 'completed', draft.context));
}
