import { OpenAI } from 'openai';
import { at, isRaw, raw, rawList, textOf, type Raw } from '../reading/raw-json';
import { listOnce, NO_TOKENS, type StopClass, type PlainReply, type PlainUsage } from '../reading/plain-reply';
import { replyingWith, NO_REPLY, type Received } from './received';

const ASK = { model: 'm', messages: [{ role: 'user' as const, content: 'hi' }] };

/** What a chat-completions caller got, as the vendor's own client reads it. */
export async function readChat(received: Received): Promise<PlainReply & { cost: unknown }> {
  const client = new OpenAI({
    apiKey: 'k',
    baseURL: 'http://gateway.test/v1',
    fetch: replyingWith(received),
    maxRetries: 0,
    logLevel: 'off',
  });
  if (!received.isStream) return readMessage(await client.chat.completions.create(ASK));
  const stream = await client.chat.completions.create({ ...ASK, stream: true, stream_options: { include_usage: true } });
  return readStream(stream);
}

type Call = { name: string; argumentsText: string; kind: 'function' | 'custom' };
type Gathered = {
  text: string;
  refusal: string;
  reasoning: string;
  details: string;
  calls: Call[];
  cited: unknown[];
  finish: unknown;
  usage: unknown;
};

async function readStream(stream: AsyncIterable<unknown>) {
  const found: Gathered = { text: '', refusal: '', reasoning: '', details: '', calls: [], cited: [], finish: null, usage: null };
  try {
    for await (const chunk of stream) addChunk(found, raw(chunk));
  } catch (error) {
    if (!(error instanceof OpenAI.APIError) && !(error instanceof SyntaxError)) throw error;
    return { ...buildReply(found), ending: 'failed' as const, stop: null };
  }
  return found.finish === null ? { ...buildReply(found), ending: 'failed' as const, stop: null } : buildReply(found);
}

function addChunk(found: Gathered, chunk: Raw): void {
  found.usage = chunk['usage'] ?? found.usage;
  if (Array.isArray(chunk['citations'])) found.cited = chunk['citations'];
  const choice = rawList(chunk['choices']).find((one) => (one['index'] ?? 0) === 0);
  if (choice === undefined) return;
  found.finish = textOf(choice['finish_reason']) || found.finish;
  const delta = raw(choice['delta']);
  addWords(found, delta);
  for (const piece of rawList(delta['tool_calls'])) {
    const index = piece['index'] as number;
    const call = (found.calls[index] ??= { name: '', argumentsText: '', kind: isRaw(piece['custom']) ? 'custom' : 'function' });
    call.name += textOf(at(piece, 'function', 'name') ?? at(piece, 'custom', 'name'));
    call.argumentsText += textOf(at(piece, 'function', 'arguments') ?? at(piece, 'custom', 'input'));
  }
}

function addWords(found: Gathered, message: Raw): void {
  const { content } = message;
  found.text += textOf(content);
  for (const part of rawList(content)) {
    found.text += textOf(part['text']);
    for (const thought of rawList(part['thinking'])) found.reasoning += textOf(thought['text']);
  }
  found.refusal += textOf(message['refusal']);
  found.reasoning += textOf(message['reasoning_content']) || textOf(message['reasoning']);
  // Says the same again, with the state that goes back to the provider.
  for (const detail of rawList(message['reasoning_details'])) found.details += textOf(detail['text']) || textOf(detail['summary']);
  const annotations = rawList(message['annotations']);
  found.cited.push(...annotations.map((annotation) => at(annotation, 'url_citation', 'url')));
}

function readMessage(completion: unknown): PlainReply & { cost: unknown } {
  const reply = raw(completion);
  const choice = rawList(reply['choices'])[0] ?? {};
  const message = raw(choice['message']);
  const found: Gathered = {
    text: '',
    refusal: '',
    reasoning: '',
    details: '',
    calls: [],
    cited: [],
    finish: choice['finish_reason'],
    usage: reply['usage'],
  };
  if (Array.isArray(reply['citations'])) found.cited = [...(reply['citations'] as unknown[])];
  addWords(found, message);
  found.calls = rawList(message['tool_calls']).map((call) => ({
    name: textOf(at(call, 'function', 'name') ?? at(call, 'custom', 'name')),
    argumentsText: textOf(at(call, 'function', 'arguments') ?? at(call, 'custom', 'input')),
    kind: isRaw(call['custom']) ? 'custom' : 'function',
  }));
  return buildReply(found);
}

function buildReply(found: Gathered): PlainReply & { cost: unknown } {
  const { text, refusal, calls } = found;
  const reasoning = found.reasoning || found.details;
  return {
    ...NO_REPLY,
    text,
    refusal,
    reasoning,
    calls,
    stop: STOPS[textOf(found.finish)] ?? null,
    usage: readUsage(found.usage),
    citations: listOnce(found.cited),
    cost: at(found.usage, 'cost'),
  };
}

const STOPS: Readonly<Record<string, StopClass>> = { stop: 'stop', length: 'length', tool_calls: 'tools', content_filter: 'filter' };

function readUsage(usage: unknown): PlainUsage | null {
  if (!isRaw(usage)) return null;
  const count = (...path: string[]): number => (at(usage, ...path) as number | undefined) ?? 0;
  const read = count('prompt_tokens_details', 'cached_tokens');
  const write5m = count('prompt_tokens_details', 'cache_write_tokens');
  return {
    ...NO_TOKENS,
    uncached: count('prompt_tokens') - read - write5m,
    read,
    write5m,
    output: count('completion_tokens'),
    reasoning: count('completion_tokens_details', 'reasoning_tokens'),
  };
}
