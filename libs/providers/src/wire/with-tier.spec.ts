import { NO_USAGE, type ChatEvent, type Usage } from '@weir/canonical';
import { toSse } from '../__fixtures__/decode-in-pieces';
import { buildTarget } from '../__fixtures__/build-target';
import type { Provider } from '../provider/provider';
import { chatUsageOf } from '../failures/failed-reply';
import { encodeEvents } from '../native/bedrock/__fixtures__/encode-event-frame';
import { createProviderDirectory } from '../directory/provider-directory';
import { withTier } from './with-tier';

const directory = createProviderDirectory({
  env: (name) => (/_API_KEY$/.test(name) ? 'a-key' : /_(ENDPOINT|BASE_URL)$/.test(name) ? 'http://upstream.test' : undefined),
  transport: () => Promise.reject(new Error('nothing is sent here')),
});
const find = (id: string): Provider => directory.find(id) as Provider;
const target = buildTarget('m');

function sourceOfReply(id: string, reply: object): unknown {
  return find(id).codec?.decodeReply(JSON.stringify(reply), target).usage?.source;
}

function sourceOfStream(id: string, bytes: string | Buffer): unknown {
  const decoder = find(id).codec?.createStreamDecoder(target);
  const events: ChatEvent[] = decoder === undefined ? [] : [...decoder.push(Buffer.from(bytes)), ...decoder.end()];
  return events.flatMap((event) => (event.type === 'usage' ? [event.usage.source] : []))[0];
}

function readFailure(read: () => unknown): Usage | null {
  try {
    read();
    return null;
  } catch (error) {
    return chatUsageOf(error);
  }
}

const COMPLETION = { prompt_tokens: 3, completion_tokens: 4 };
const COUNTED = { input_tokens: 3, output_tokens: 4 };
const GEMINI = { promptTokenCount: 3, candidatesTokenCount: 4 };
const CONVERSE = { inputTokens: 3, outputTokens: 4 };
const choices = [{ index: 0, message: { content: 'a' }, delta: { content: 'a' }, finish_reason: 'stop' }];
const candidates = [{ content: { parts: [{ text: 'a' }] }, finishReason: 'STOP' }];
const output = { message: { content: [{ text: 'a' }] } };

describe('a tier whose price is not in the catalogue makes the cost an estimate', () => {
  it.each<[string, (tier: string) => object, string, string]>([
    ['openai', (service_tier) => ({ choices, usage: COMPLETION, service_tier }), 'priority', 'default'],
    ['azure', (service_tier) => ({ choices, usage: COMPLETION, service_tier }), 'priority', 'default'],
    ['groq', (service_tier) => ({ choices, usage: COMPLETION, service_tier }), '', 'flex'],
    ['openai-responses', (service_tier) => ({ output: [], usage: COUNTED, service_tier }), 'flex', 'default'],
    ['anthropic', (speed) => ({ content: [], usage: { ...COUNTED, speed } }), 'fast', 'standard'],
    ['anthropic', (inference_geo) => ({ content: [], usage: { ...COUNTED, inference_geo } }), 'us', 'global'],
    ['google', (serviceTier) => ({ candidates, usageMetadata: { ...GEMINI, serviceTier } }), 'flex', 'standard'],
    ['google', (trafficType) => ({ candidates, usageMetadata: { ...GEMINI, trafficType } }), 'ON_DEMAND_PRIORITY', 'ON_DEMAND'],
    ['bedrock', (type) => ({ output, stopReason: 'end_turn', usage: CONVERSE, serviceTier: { type } }), 'priority', 'default'],
  ])('%s, whole', (id, reply, special, ordinary) => {
    expect(sourceOfReply(id, reply(ordinary))).toBe('provider');
    if (special !== '') expect(sourceOfReply(id, reply(special))).toBe('estimate');
  });

  it.each<[string, (tier: string) => string | Buffer]>([
    [
      'openai',
      (service_tier) =>
        toSse([
          { choices, service_tier },
          { choices: [], usage: COMPLETION },
        ]),
    ],
    [
      'openai-responses',
      (service_tier) =>
        toSse([{ type: 'response.completed', response: { status: 'completed', output: [], usage: COUNTED, service_tier } }]),
    ],
    [
      'bedrock',
      (type) =>
        encodeEvents([
          ['messageStop', { stopReason: 'end_turn' }],
          ['metadata', { usage: CONVERSE, serviceTier: { type } }],
        ]),
    ],
  ])('%s, streamed', (id, bytes) => {
    expect([sourceOfStream(id, bytes('default')), sourceOfStream(id, bytes('priority'))]).toEqual(['provider', 'estimate']);
  });

  it.each([
    ['openai', COMPLETION],
    ['azure', COMPLETION],
    ['openai-responses', COUNTED],
  ])('%s, in its own words', (id, usage) => {
    const read = (tier: unknown) => find(id).express?.readUsage(usage, tier)?.source;
    expect([read(undefined), read(null), read('auto'), read('priority')]).toEqual(['provider', 'provider', 'provider', 'estimate']);
  });

  it.each([
    ['openai', { error: { message: 'm' }, usage: COMPLETION }],
    ['openai-responses', { status: 'failed', output: [], error: { message: 'm' }, usage: COUNTED }],
  ])('%s, of a failure in one piece', (id, failure) => {
    const sourcesOf = (service_tier: string): unknown[] => {
      const text = JSON.stringify({ ...failure, service_tier });
      const decoder = find(id).codec?.createStreamDecoder(target);
      decoder?.push(Buffer.from(text));
      decoder?.end();
      return [readFailure(() => find(id).codec?.decodeReply(text, target))?.source, decoder?.reported()?.source];
    };
    expect([sourcesOf('default'), sourcesOf('priority')]).toEqual([
      ['provider', 'provider'],
      ['estimate', 'estimate'],
    ]);
  });

  it('returns null when no usage was reported', () => {
    expect(withTier(null, 'priority')).toBeNull();
    expect(withTier(NO_USAGE, 'priority', [])).toBe(NO_USAGE);
  });
});
