import { listOnce, NO_TOKENS, EMPTY_REPLY, type StopClass, type PlainCall, type PlainReply, type PlainUsage } from '../reading/plain-reply';
import { DONE, BROKEN, type RawEvent } from './raw-events';
import { at, countOf, isRaw, raw, rawList, textOf, type Raw } from '../reading/raw-json';

type Words = { text: string; refusal: string; reasoning: string; citations: unknown[] };
type Call = { name: string; argumentsText: string; kind: PlainCall['kind'] };
type Found = { readonly words: Words; readonly calls: Map<number, Call>; finish: unknown; usage: unknown; sources: unknown[] };

/** Chat completions, whole or in chunks: the first choice of each. */
export function readChatCapture(events: readonly RawEvent[], isStream: boolean): PlainReply {
  if (!isStream) return readWhole(raw(events[0]));
  const found = findNothing();
  for (const event of events) {
    if (event === BROKEN || hasFailed(event)) return { ...buildReply(found), ending: 'failed', stop: null };
    if (event !== DONE) addChunk(found, event as Raw);
  }
  const hasEnded = found.finish !== undefined || events.includes(DONE);
  return hasEnded ? buildReply(found) : { ...buildReply(found), ending: 'failed', stop: null };
}

function findNothing(): Found {
  const words = { text: '', refusal: '', reasoning: '', citations: [] };
  return { words, calls: new Map(), finish: undefined, usage: undefined, sources: [] };
}

/** A failure stands on the reply or inside its choice. */
function hasFailed(event: RawEvent): boolean {
  return typeof event !== 'symbol' && (isRaw(event['error']) || isRaw(at(rawList(event['choices'])[0], 'error')));
}

function addChunk(found: Found, chunk: Raw): void {
  found.usage = usageOf(chunk) ?? found.usage;
  const named = readSources(chunk);
  if (named.length > 0) found.sources = named;
  const choice = rawList(chunk['choices']).find((one) => countOf(one['index']) === 0) ?? {};
  addWords(found.words, raw(choice['delta']));
  for (const piece of rawList(at(choice, 'delta', 'tool_calls'))) addCall(found.calls, piece);
  if (textOf(choice['finish_reason']) !== '') found.finish = choice['finish_reason'];
}

/** Usage stands on the reply, inside its choice, or in one provider's own corner. */
function usageOf(reply: Raw): unknown {
  return reply['usage'] ?? at(rawList(reply['choices'])[0], 'usage') ?? at(reply, 'x_groq', 'usage');
}

function readWhole(reply: Raw): PlainReply {
  if (hasFailed(reply)) return { ...EMPTY_REPLY, ending: 'refused', status: 502 };
  const choice = rawList(reply['choices'])[0];
  if (choice === undefined) return { ...EMPTY_REPLY, ending: 'unreadable', status: 502 };
  const message = raw(choice['message']);
  const found = { ...findNothing(), finish: choice['finish_reason'], usage: usageOf(reply), sources: readSources(reply) };
  addWords(found.words, message);
  rawList(message['tool_calls']).forEach((call, index) => addCall(found.calls, { ...call, index }));
  return buildReply(found);
}

function addWords(words: Words, message: Raw): void {
  const { content } = message;
  if (typeof content === 'string') words.text += content;
  for (const part of rawList(content)) {
    words.text += textOf(part['text']);
    words.reasoning += textOf(part['thinking']);
    for (const thought of rawList(part['thinking'])) words.reasoning += textOf(thought['text']);
  }
  const plain = textOf(message['reasoning_content']) || textOf(message['reasoning']);
  const details = rawList(message['reasoning_details']).map((detail) => textOf(detail['text']) || textOf(detail['summary']));
  words.reasoning += plain || details.join('');
  words.refusal += textOf(message['refusal']);
  words.citations.push(...rawList(message['annotations']).map((annotation) => at(annotation, 'url_citation', 'url')));
}

function addCall(calls: Map<number, Call>, piece: Raw): void {
  const index = typeof piece['index'] === 'number' ? piece['index'] : calls.size;
  const custom = isRaw(piece['custom']);
  const called = raw(piece['custom'] ?? piece['function']);
  const input = called[custom ? 'input' : 'arguments'];
  const call = calls.get(index) ?? { name: '', argumentsText: '', kind: custom ? 'custom' : 'function' };
  call.name ||= textOf(called['name']);
  call.argumentsText += isRaw(input) ? JSON.stringify(input) : textOf(input);
  calls.set(index, call);
}

function readSources(event: Raw): unknown[] {
  const results = rawList(event['search_results']).map((result) => result['url']);
  if (results.length > 0) return results;
  return Array.isArray(event['citations']) ? event['citations'].map((entry: unknown) => (isRaw(entry) ? entry['url'] : entry)) : [];
}

function buildReply({ words, calls, finish, usage, sources }: Found): PlainReply {
  const cited = listOnce(words.citations);
  return {
    ...EMPTY_REPLY,
    text: words.text,
    refusal: words.refusal,
    reasoning: words.reasoning,
    calls: [...calls.values()],
    stop: readStop(finish, calls.size > 0),
    usage: readChatUsage(usage),
    citations: cited.length > 0 || words.text === '' ? cited : listOnce(sources),
  };
}

const STOPS: Readonly<Record<string, StopClass>> = {
  stop: 'stop',
  length: 'length',
  model_length: 'length',
  tool_calls: 'tools',
  function_call: 'tools',
  content_filter: 'filter',
  error: 'error',
};

function readStop(word: unknown, hasCalls: boolean): StopClass {
  const stop = STOPS[textOf(word)] ?? 'stop';
  return stop === 'stop' && hasCalls ? 'tools' : stop;
}

/** Where the total is larger than prompt and completion together, reasoning stands apart and belongs to the output. */
function readChatUsage(value: unknown): PlainUsage | null {
  if (!isRaw(value) || typeof value['prompt_tokens'] !== 'number') return null;
  const prompt = countOf(value['prompt_tokens']);
  const read =
    countOf(at(value, 'prompt_tokens_details', 'cached_tokens')) ||
    countOf(value['prompt_cache_hit_tokens']) ||
    countOf(value['cached_tokens']);
  const write = countOf(at(value, 'prompt_tokens_details', 'cache_write_tokens'));
  const reasoning = countOf(at(value, 'completion_tokens_details', 'reasoning_tokens'));
  const completion = countOf(value['completion_tokens']);
  const isApart = reasoning > 0 && prompt + completion + reasoning === value['total_tokens'];
  const output = isApart ? completion + reasoning : completion;
  return { ...NO_TOKENS, uncached: prompt - read - write, read, write5m: write, output, reasoning: Math.min(reasoning, output) };
}
