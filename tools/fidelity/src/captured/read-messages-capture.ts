import { listOnce, NO_TOKENS, EMPTY_REPLY, type StopClass, type PlainReply, type PlainUsage } from '../reading/plain-reply';
import { BROKEN, type RawEvent } from './raw-events';
import { at, countOf, isRaw, raw, rawList, textOf, type Raw } from '../reading/raw-json';

type Block = { type: string; text: string; name: string; input: string; citations: Raw[] };

/** Messages, whole or as events. */
export function readMessagesCapture(events: readonly RawEvent[], isStream: boolean): PlainReply {
  if (!isStream) {
    const message = raw(events[0]);
    if (!Array.isArray(message['content'])) return { ...EMPTY_REPLY, ending: 'unreadable', status: 502 };
    return buildReply(rawList(message['content']).map(readBlock), message['stop_reason'], message['usage']);
  }
  const found: Found = { blocks: new Map(), usage: {}, stop: undefined, id: undefined };
  for (const event of events) {
    if (event === BROKEN || !addEvent(found, event)) return failed(found.blocks);
  }
  return found.stop === undefined ? failed(found.blocks) : buildReply([...found.blocks.values()], found.stop, found.usage);
}

type Found = { readonly blocks: Map<number, Block>; usage: Raw; stop: unknown; id: unknown };

/** Returns false where the message cannot become whole any more. */
function addEvent(found: Found, event: RawEvent): boolean {
  if (typeof event === 'symbol') return true;
  const index = countOf(event['index']);
  switch (event['type']) {
    case 'error':
      return false;
    case 'message_start': {
      const id = at(event, 'message', 'id');
      // A second message inside the first: no one can say what the first one was to become.
      if (found.id !== undefined && found.id !== id) return false;
      found.id = id;
      found.usage = { ...found.usage, ...dropNulls(at(event, 'message', 'usage')) };
      return true;
    }
    case 'content_block_start':
      found.blocks.set(index, readBlock(raw(event['content_block'])));
      return true;
    case 'content_block_delta':
      addDelta(found.blocks.get(index), raw(event['delta']));
      return true;
    case 'message_delta':
      found.stop = at(event, 'delta', 'stop_reason') ?? found.stop;
      found.usage = { ...found.usage, ...dropNulls(event['usage']) };
      return true;
    default:
      return true;
  }
}

function readBlock(block: Raw): Block {
  const { input } = block;
  return {
    type: textOf(block['type']),
    text: textOf(block['text']) + textOf(block['thinking']),
    name: textOf(block['name']),
    input: isRaw(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : '',
    citations: rawList(block['citations']),
  };
}

function addDelta(block: Block | undefined, delta: Raw): void {
  if (block === undefined) return;
  block.text += textOf(delta['text']) + textOf(delta['thinking']);
  block.input += textOf(delta['partial_json']);
  if (isRaw(delta['citation'])) block.citations.push(delta['citation']);
}

function dropNulls(usage: unknown): Raw {
  return Object.fromEntries(Object.entries(raw(usage)).filter(([, value]) => value !== null));
}

function failed(blocks: ReadonlyMap<number, Block>): PlainReply {
  return { ...buildReply([...blocks.values()], 'end_turn', null), ending: 'failed', stop: null };
}

function buildReply(blocks: readonly Block[], stop: unknown, usage: unknown): PlainReply {
  const calls = blocks.filter((block) => block.type === 'tool_use');
  const citations = blocks.flatMap((block) => block.citations);
  return {
    ...EMPTY_REPLY,
    text: blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    reasoning: blocks.map((block) => (block.type === 'thinking' ? block.text : '')).join(''),
    calls: calls.map(({ name, input }) => ({ name, argumentsText: input, kind: 'function' })),
    stop: readStop(stop),
    usage: readUsage(usage),
    citations: listOnce(citations.map((citation) => citation['url'] ?? citation['source'])),
    hasOtherCitations: citations.some((citation) => textOf(citation['url'] ?? citation['source']) === ''),
    searches: countOf(at(usage, 'server_tool_use', 'web_search_requests')),
  };
}

const STOPS: Readonly<Record<string, StopClass>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tools',
  refusal: 'filter',
  pause_turn: 'pause',
  compaction: 'pause',
};

function readStop(word: unknown): StopClass {
  return STOPS[textOf(word)] ?? 'stop';
}

/** What summarising a long conversation used is billed beside the answer. */
function readUsage(value: unknown): PlainUsage | null {
  if (!isRaw(value) || typeof value['output_tokens'] !== 'number') return null;
  return [value, ...rawList(value['iterations']).filter((part) => part['type'] === 'compaction')].map(readPart).reduce((sum, part) => ({
    uncached: sum.uncached + part.uncached,
    read: sum.read + part.read,
    write5m: sum.write5m + part.write5m,
    write1h: sum.write1h + part.write1h,
    output: sum.output + part.output,
    reasoning: sum.reasoning + part.reasoning,
  }));
}

function readPart(part: Raw): PlainUsage {
  const write1h = countOf(at(part, 'cache_creation', 'ephemeral_1h_input_tokens'));
  return {
    ...NO_TOKENS,
    uncached: countOf(part['input_tokens']),
    read: countOf(part['cache_read_input_tokens']),
    write5m: countOf(part['cache_creation_input_tokens']) - write1h,
    write1h,
    output: countOf(part['output_tokens']),
    reasoning: countOf(at(part, 'output_tokens_details', 'thinking_tokens')),
  };
}
