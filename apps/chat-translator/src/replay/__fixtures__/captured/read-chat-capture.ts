import { listOnce, NO_TOKENS, NOTHING_TOLD, type StopClass, type ToldCall, type ToldReply, type ToldUsage } from '../told-reply';
import { DONE, BROKEN, type RawEvent } from './raw-events';
import { at, countOf, isRaw, raw, rawList, textOf, type Raw } from './raw-json';

type Words = { text: string; refusal: string; reasoning: string; citations: unknown[] };

/** Chat completions, whole or in chunks: the first choice of each. */
export function readChatCapture(events: readonly RawEvent[], isStream: boolean): ToldReply {
  if (!isStream) return readWhole(raw(events[0]));
  const words: Words = { text: '', refusal: '', reasoning: '', citations: [] };
  const calls = new Map<number, { name: string; argumentsText: string; kind: ToldCall['kind'] }>();
  let finish: unknown;
  let usage: unknown;
  let sources: unknown[] = [];
  let isDone = false;
  for (const event of events) {
    if (event === DONE) isDone = true;
    if (event === BROKEN) return failed(words, calls);
    if (typeof event === 'symbol') continue;
    if (isRaw(event['error']) || isRaw(at(rawList(event['choices'])[0], 'error'))) return failed(words, calls);
    usage = event['usage'] ?? at(rawList(event['choices'])[0], 'usage') ?? at(event, 'x_groq', 'usage') ?? usage;
    const named = readSources(event);
    if (named.length > 0) sources = named;
    const choice = rawList(event['choices']).find((one) => countOf(one['index']) === 0);
    if (choice === undefined) continue;
    addWords(words, raw(choice['delta']));
    for (const piece of rawList(at(choice, 'delta', 'tool_calls'))) addCall(calls, piece);
    if (textOf(choice['finish_reason']) !== '') finish = choice['finish_reason'];
  }
  if (finish === undefined && !isDone) return failed(words, calls);
  return tell(words, [...calls.values()], { finish, usage, sources });
}

function readWhole(reply: Raw): ToldReply {
  if (isRaw(reply['error']) || isRaw(at(rawList(reply['choices'])[0], 'error'))) return { ...NOTHING_TOLD, ending: 'refused', status: 502 };
  const choice = rawList(reply['choices'])[0];
  if (choice === undefined) return { ...NOTHING_TOLD, ending: 'unreadable', status: 502 };
  const words: Words = { text: '', refusal: '', reasoning: '', citations: [] };
  const message = raw(choice['message']);
  addWords(words, message);
  const calls = new Map<number, { name: string; argumentsText: string; kind: ToldCall['kind'] }>();
  rawList(message['tool_calls']).forEach((call, index) => addCall(calls, { ...call, index }));
  const usage = reply['usage'] ?? at(reply, 'x_groq', 'usage');
  return tell(words, [...calls.values()], { finish: choice['finish_reason'], usage, sources: readSources(reply) });
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

function addCall(calls: Map<number, { name: string; argumentsText: string; kind: ToldCall['kind'] }>, piece: Raw): void {
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

type Rest = { finish: unknown; usage: unknown; sources: unknown[] };

function tell(words: Words, calls: readonly ToldCall[], { finish, usage, sources }: Rest): ToldReply {
  const cited = listOnce(words.citations);
  return {
    ...NOTHING_TOLD,
    text: words.text,
    refusal: words.refusal,
    reasoning: words.reasoning,
    calls,
    stop: readStop(finish, calls.length > 0),
    usage: readChatUsage(usage),
    citations: cited.length > 0 || words.text === '' ? cited : listOnce(sources),
  };
}

function failed(words: Words, calls: ReadonlyMap<number, ToldCall>): ToldReply {
  return { ...tell(words, [...calls.values()], { finish: null, usage: null, sources: [] }), ending: 'failed', stop: null };
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
export function readChatUsage(value: unknown): ToldUsage | null {
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
