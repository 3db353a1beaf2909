import { OpenAI } from 'openai';
import { at, raw, rawList, textOf, type Raw } from '../reading/raw-json';
import { listOnce, NO_TOKENS, type StopClass, type PlainCall, type PlainUsage } from '../reading/plain-reply';
import { replyingWith, NO_REPLY, type Received, type SeenReply } from './received';

const ASK = { model: 'm', input: 'hi' };

/** What a Responses caller got, as the vendor's own client reads it. */
export async function readResponses(received: Received): Promise<SeenReply> {
  const client = new OpenAI({
    apiKey: 'k',
    baseURL: 'http://gateway.test/v1',
    fetch: replyingWith(received),
    maxRetries: 0,
    logLevel: 'off',
  });
  if (!received.isStream) return buildReply(raw(await client.responses.create(ASK)));
  const stream = await client.responses.create({ ...ASK, stream: true });
  return readStream(stream);
}

async function readStream(stream: AsyncIterable<unknown>): Promise<SeenReply> {
  let deltas = '';
  const items: Raw[] = [];
  let last: Raw | undefined;
  try {
    for await (const value of stream) {
      const event = raw(value);
      if (event['type'] === 'response.output_text.delta') deltas += textOf(event['delta']);
      if (event['type'] === 'response.output_item.done') items.push(raw(event['item']));
      if (/^response\.(completed|incomplete|failed)$/.test(textOf(event['type']))) last = event;
    }
  } catch (error) {
    if (!(error instanceof OpenAI.APIError) && !(error instanceof SyntaxError)) throw error;
    return { ...NO_REPLY, ending: 'failed', text: deltas };
  }
  if (last === undefined) return { ...NO_REPLY, ending: 'failed', text: deltas };
  const response = raw(last['response']);
  if (last['type'] === 'response.failed') return { ...NO_REPLY, ending: 'failed', text: deltas };
  const hasOutput = rawList(response['output']).length > 0;
  const reply = buildReply(hasOutput ? response : { ...response, output: items });
  return { ...reply, text: deltas || reply.text };
}

function buildReply(response: Raw): SeenReply {
  const items = rawList(response['output']);
  const parts = items.filter((item) => item['type'] === 'message').flatMap((item) => rawList(item['content']));
  const annotations = parts.flatMap((part) => rawList(part['annotations']));
  const calls = items.flatMap(readCall);
  return {
    ...NO_REPLY,
    text: parts.map((part) => (part['type'] === 'output_text' ? textOf(part['text']) : '')).join(''),
    refusal: parts.map((part) => (part['type'] === 'refusal' ? textOf(part['refusal']) : '')).join(''),
    reasoning: items
      .filter((item) => item['type'] === 'reasoning')
      .flatMap((item) => [...rawList(item['summary']), ...rawList(item['content'])])
      .map((part) => textOf(part['text']))
      .join(''),
    calls,
    stop: readStop(response, calls.length > 0),
    usage: readUsage(response['usage']),
    citations: listOnce(annotations.map((annotation) => annotation['url'])),
    hasOtherCitations: annotations.some((annotation) => textOf(annotation['url']) === ''),
    cost: at(response, 'usage', 'cost'),
  };
}

function readCall(item: Raw): PlainCall[] {
  const name = textOf(item['name']);
  if (item['type'] === 'function_call') return [{ name, argumentsText: textOf(item['arguments']), kind: 'function' }];
  if (item['type'] === 'custom_tool_call') return [{ name, argumentsText: textOf(item['input']), kind: 'custom' }];
  return [];
}

/** The dialect has one word for every orderly end. */
function readStop(response: Raw, hasCalls: boolean): StopClass | null {
  if (response['status'] === 'completed') return hasCalls ? 'tools' : 'stop';
  if (response['status'] !== 'incomplete') return null;
  return at(response, 'incomplete_details', 'reason') === 'content_filter' ? 'filter' : 'length';
}

function readUsage(usage: unknown): PlainUsage | null {
  if (usage === null || usage === undefined) return null;
  const count = (...path: string[]): number => (at(usage, ...path) as number | undefined) ?? 0;
  const read = count('input_tokens_details', 'cached_tokens');
  const write5m = count('input_tokens_details', 'cache_write_tokens');
  return {
    ...NO_TOKENS,
    uncached: count('input_tokens') - read - write5m,
    read,
    write5m,
    output: count('output_tokens'),
    reasoning: Math.min(count('output_tokens'), count('output_tokens_details', 'reasoning_tokens')),
  };
}
