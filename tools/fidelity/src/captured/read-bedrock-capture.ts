import { listOnce, NO_TOKENS, EMPTY_REPLY, type StopClass, type PlainReply, type PlainUsage } from '../reading/plain-reply';
import type { RawEvent } from './raw-events';
import { at, countOf, isRaw, raw, rawList, textOf, type Raw } from '../reading/raw-json';

type Block = { text: string; reasoning: string; name: string | null; input: string; citations: unknown[]; hasCited: boolean };

/** Converse, whole or as binary events. */
export function readBedrockCapture(events: readonly RawEvent[], isStream: boolean): PlainReply {
  if (!isStream) {
    const reply = raw(events[0]);
    const content = at(reply, 'output', 'message', 'content');
    if (!Array.isArray(content)) return { ...EMPTY_REPLY, ending: 'unreadable', status: 502 };
    return buildReply(rawList(content).map(readBlock), reply['stopReason'], reply['usage']);
  }
  const found: Found = { blocks: new Map(), stop: undefined, usage: undefined };
  for (const event of events) {
    const [name = '', payload] = typeof event === 'symbol' ? ['brokenException'] : (Object.entries(event)[0] ?? []);
    if (name.endsWith('Exception')) return { ...buildReplyOf(found), ending: 'failed', stop: null };
    addEvent(found, name, raw(payload));
  }
  return found.stop === undefined ? { ...buildReplyOf(found), ending: 'failed', stop: null } : buildReplyOf(found);
}

type Found = { readonly blocks: Map<number, Block>; stop: unknown; usage: unknown };

function addEvent(found: Found, name: string, body: Raw): void {
  const index = countOf(body['contentBlockIndex']);
  if (name === 'contentBlockStart') found.blocks.set(index, readBlock(raw(body['start'])));
  if (name === 'contentBlockDelta') addDelta(found.blocks, index, raw(body['delta']));
  if (name === 'messageStop') found.stop = body['stopReason'];
  if (name === 'metadata') found.usage = body['usage'];
}

function buildReplyOf({ blocks, stop, usage }: Found): PlainReply {
  const inOrder = [...blocks.entries()].sort(([a], [b]) => a - b).map(([, block]) => block);
  return buildReply(inOrder, stop, usage);
}

function readBlock(block: Raw): Block {
  const { toolUse } = block;
  const cited = raw(block['citationsContent']);
  const input = at(toolUse, 'input');
  return {
    text:
      textOf(block['text']) +
      rawList(cited['content'])
        .map((part) => textOf(part['text']))
        .join(''),
    reasoning: textOf(at(block, 'reasoningContent', 'reasoningText', 'text')),
    // Tools that the provider runs itself are no calls for the caller.
    name: isRaw(toolUse) && toolUse['type'] !== 'server_tool_use' ? textOf(toolUse['name']) : null,
    input: isRaw(input) ? JSON.stringify(input) : '',
    citations: rawList(cited['citations']).map(addressOf),
    hasCited: rawList(cited['citations']).length > 0,
  };
}

function addressOf(citation: Raw): unknown {
  return at(citation, 'location', 'web', 'url');
}

function addDelta(blocks: Map<number, Block>, index: number, delta: Raw): void {
  const block = blocks.get(index) ?? readBlock({});
  blocks.set(index, block);
  block.text += textOf(delta['text']);
  block.reasoning += textOf(at(delta, 'reasoningContent', 'text'));
  block.input += textOf(at(delta, 'toolUse', 'input'));
  if (!isRaw(delta['citation'])) return;
  block.citations.push(addressOf(delta['citation']));
  block.hasCited = true;
}

function buildReply(blocks: readonly Block[], stop: unknown, usage: unknown): PlainReply {
  return {
    ...EMPTY_REPLY,
    text: blocks.map((block) => block.text).join(''),
    reasoning: blocks.map((block) => block.reasoning).join(''),
    calls: blocks.flatMap(({ name, input }) => (name === null ? [] : [{ name, argumentsText: input, kind: 'function' as const }])),
    stop: readStop(stop),
    usage: readUsage(usage),
    citations: listOnce(blocks.flatMap((block) => block.citations)),
    hasOtherCitations: blocks.some((block) => block.hasCited && listOnce(block.citations).length === 0),
  };
}

const STOPS: Readonly<Record<string, StopClass>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tools',
  content_filtered: 'filter',
  guardrail_intervened: 'filter',
};

function readStop(word: unknown): StopClass {
  return STOPS[textOf(word)] ?? 'stop';
}

function readUsage(value: unknown): PlainUsage | null {
  if (!isRaw(value) || typeof value['inputTokens'] !== 'number') return null;
  const written = countOf(value['cacheWriteInputTokens']);
  const hour = rawList(value['cacheDetails'])
    .filter((detail) => detail['ttl'] === '1h')
    .reduce((sum, detail) => sum + countOf(detail['inputTokens']), 0);
  return {
    ...NO_TOKENS,
    uncached: value['inputTokens'],
    read: countOf(value['cacheReadInputTokens']),
    write5m: written - hour,
    write1h: hour,
    output: countOf(value['outputTokens']),
  };
}
