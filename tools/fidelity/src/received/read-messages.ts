import { Anthropic } from '@anthropic-ai/sdk';
import { at, raw, rawList, textOf, type Raw } from '../reading/raw-json';
import { listOnce, NO_TOKENS, type StopClass, type PlainUsage } from '../reading/plain-reply';
import { replyingWith, NO_REPLY, type Received, type SeenReply } from './received';

const ASK = { model: 'm', max_tokens: 9, messages: [{ role: 'user' as const, content: 'hi' }] };

/** What a Messages caller got, as the vendor's own client reads it. */
export async function readMessages(received: Received): Promise<SeenReply> {
  const client = new Anthropic({
    apiKey: 'k',
    baseURL: 'http://gateway.test',
    fetch: replyingWith(received),
    maxRetries: 0,
    logLevel: 'off',
  });
  if (!received.isStream) return buildReply(raw(await client.messages.create(ASK)));
  const stream = client.messages.stream(ASK);
  let text = '';
  let cost: unknown;
  stream.on('text', (piece) => void (text += piece));
  // The client gathers the members it knows; ours stands on the event itself.
  stream.on('streamEvent', (event) => void (cost = event.type === 'message_delta' ? at(event, 'usage', 'cost') : cost));
  try {
    return { ...buildReply(raw(await stream.finalMessage())), cost };
  } catch (error) {
    if (!(error instanceof Anthropic.AnthropicError)) throw error;
    if (error instanceof Anthropic.APIError && error.status !== undefined) throw error;
    return { ...NO_REPLY, ending: 'failed', text };
  }
}

function buildReply(message: Raw): SeenReply {
  const blocks = rawList(message['content']);
  const ofType = (type: string): Raw[] => blocks.filter((block) => block['type'] === type);
  const citations = ofType('text').flatMap((block) => rawList(block['citations']));
  return {
    ...NO_REPLY,
    text: ofType('text')
      .map((block) => textOf(block['text']))
      .join(''),
    refusal: textOf(at(message, 'stop_details', 'explanation')),
    reasoning: ofType('thinking')
      .map((block) => textOf(block['thinking']))
      .join(''),
    calls: ofType('tool_use').map((block) => ({
      name: textOf(block['name']),
      argumentsText: JSON.stringify(block['input']),
      kind: 'function' as const,
    })),
    stop: STOPS[textOf(message['stop_reason'])] ?? null,
    usage: readUsage(message['usage']),
    citations: listOnce(citations.map((citation) => citation['url'] ?? citation['source'])),
    hasOtherCitations: citations.some((citation) => textOf(citation['url'] ?? citation['source']) === ''),
    searches: (at(message, 'usage', 'server_tool_use', 'web_search_requests') as number | undefined) ?? 0,
    cost: at(message, 'usage', 'cost'),
  };
}

const STOPS: Readonly<Record<string, StopClass>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tools',
  refusal: 'filter',
  pause_turn: 'pause',
  compaction: 'pause',
};

function readUsage(usage: unknown): PlainUsage {
  const count = (...path: string[]): number => (at(usage, ...path) as number | undefined) ?? 0;
  const write1h = count('cache_creation', 'ephemeral_1h_input_tokens');
  return {
    ...NO_TOKENS,
    uncached: count('input_tokens'),
    read: count('cache_read_input_tokens'),
    write5m: count('cache_creation_input_tokens') - write1h,
    write1h,
    output: count('output_tokens'),
    reasoning: count('output_tokens_details', 'thinking_tokens'),
  };
}
