import { listOnce, NO_TOKENS, EMPTY_REPLY, type StopClass, type PlainCall, type PlainReply, type PlainUsage } from '../reading/plain-reply';
import { BROKEN, type RawEvent } from './raw-events';
import { at, countOf, isRaw, raw, rawList, textOf, type Raw } from '../reading/raw-json';

const TERMINAL = new Set(['response.completed', 'response.incomplete']);

/** Responses, whole or as events: the items that were done, and how the response ended. */
export function readResponsesCapture(events: readonly RawEvent[], isStream: boolean): PlainReply {
  if (!isStream) {
    const response = raw(events[0]);
    if (isRaw(response['error']) || response['status'] === 'failed') return { ...EMPTY_REPLY, ending: 'refused', status: 502 };
    if (!Array.isArray(response['output'])) return { ...EMPTY_REPLY, ending: 'unreadable', status: 502 };
    return buildReply(rawList(response['output']), response);
  }
  const done = events.filter((event): event is Raw => typeof event !== 'symbol');
  const items = done.filter((event) => event['type'] === 'response.output_item.done').map((event) => raw(event['item']));
  const last = done.find((event) => TERMINAL.has(textOf(event['type'])));
  if (events.includes(BROKEN) || last === undefined) {
    return {
      ...buildReply([{ type: 'message', content: [{ type: 'output_text', text: joinDeltas(done) }] }], {}),
      ending: 'failed',
      stop: null,
    };
  }
  const response = raw(last['response']);
  const listed = rawList(response['output']);
  const reply = buildReply(listed.length >= items.length ? listed : items, response);
  // Where a recording contradicts itself, what was said in pieces is what a reader of the stream has seen.
  return { ...reply, text: joinDeltas(done) || reply.text };
}

function joinDeltas(events: readonly Raw[]): string {
  return events
    .filter((event) => event['type'] === 'response.output_text.delta')
    .map((event) => textOf(event['delta']))
    .join('');
}

function buildReply(items: readonly Raw[], response: Raw): PlainReply {
  const parts = items.filter((item) => item['type'] === 'message').flatMap((item) => rawList(item['content']));
  const annotations = parts.flatMap((part) => rawList(part['annotations']));
  const calls = items.flatMap(readCall);
  return {
    ...EMPTY_REPLY,
    text: parts.map((part) => (part['type'] === 'output_text' ? textOf(part['text']) : '')).join(''),
    refusal: parts.map((part) => textOf(part['refusal'])).join(''),
    reasoning: items.map(readReasoning).join(''),
    calls,
    stop: readStop(response, calls.length > 0),
    usage: readUsage(response['usage']),
    citations: listOnce(annotations.map((annotation) => annotation['url'])),
    hasOtherCitations: annotations.some((annotation) => textOf(annotation['url']) === ''),
    searches: items.filter(isSearch).length,
  };
}

function readReasoning(item: Raw): string {
  if (item['type'] !== 'reasoning') return '';
  const summary = rawList(item['summary']).map((part) => textOf(part['text']));
  return (summary.length > 0 ? summary : rawList(item['content']).map((part) => textOf(part['text']))).join('');
}

function readCall(item: Raw): PlainCall[] {
  const name = textOf(item['name']);
  if (item['type'] === 'function_call') return [{ name, argumentsText: textOf(item['arguments']), kind: 'function' }];
  if (item['type'] === 'custom_tool_call') return [{ name, argumentsText: textOf(item['input']), kind: 'custom' }];
  return [];
}

function isSearch(item: Raw): boolean {
  const action = at(item, 'action', 'type');
  return item['type'] === 'web_search_call' && (action === undefined || action === 'search');
}

function readStop(response: Raw, hasCalls: boolean): StopClass {
  if (response['status'] !== 'incomplete') return hasCalls ? 'tools' : 'stop';
  return at(response, 'incomplete_details', 'reason') === 'content_filter' ? 'filter' : 'length';
}

function readUsage(value: unknown): PlainUsage | null {
  if (!isRaw(value) || typeof value['input_tokens'] !== 'number') return null;
  const read = countOf(at(value, 'input_tokens_details', 'cached_tokens'));
  const write5m = countOf(at(value, 'input_tokens_details', 'cache_write_tokens'));
  return {
    ...NO_TOKENS,
    uncached: value['input_tokens'] - read - write5m,
    read,
    write5m,
    output: countOf(value['output_tokens']),
    reasoning: Math.min(countOf(value['output_tokens']), countOf(at(value, 'output_tokens_details', 'reasoning_tokens'))),
  };
}
