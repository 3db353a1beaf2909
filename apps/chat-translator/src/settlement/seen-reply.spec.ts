import { createProviderDirectory, type Provider } from '@weir/providers';
import { SeenReply } from './seen-reply';

const providers = createProviderDirectory({
  env: (name) => (name === 'OPENAI_API_KEY' ? 'a-key' : undefined),
  transport: () => Promise.reject(new Error('nothing is sent here')),
});
const { codec } = providers.find('openai') as Provider;
const target = { attempt: { upstreamModel: 'gpt-4o', modelId: 'openai/gpt-4o' }, model: { id: 'openai/gpt-4o' } } as never;

const seeing = (...chunks: readonly string[]): SeenReply => {
  const seen = new SeenReply({ provider: { codec }, target });
  for (const chunk of chunks) seen.receive(Buffer.from(chunk));
  return seen;
};
const whole = (message: object): string => JSON.stringify({ id: 'a', choices: [{ index: 0, message, finish_reason: 'stop' }] });
const frame = (delta: object): string => `data: ${JSON.stringify({ id: 'a', choices: [{ index: 0, delta }] })}\n\n`;
const call = { id: 'c', type: 'function', function: { name: 'find', arguments: '{"a":1}' } };

describe('the output of a reply whose usage is not reported', () => {
  it('is estimated alike, streamed and whole: two words are two tokens and the end', () => {
    expect(seeing(whole({ role: 'assistant', content: 'hello world' })).estimateOutput()).toBe(3);
    expect(seeing(frame({ content: 'hello' }), frame({ content: ' world' }), frame({})).estimateOutput()).toBe(3);
    expect(seeing(frame({ content: 'hello' }) + frame({ content: ' world' })).estimateOutput()).toBe(3);
  });

  it('counts calls of tools, refusals and reasoning in words', () => {
    const inWhole = seeing(whole({ role: 'assistant', content: null, tool_calls: [call] })).estimateOutput();
    expect(inWhole).toBeGreaterThan(10);
    expect(seeing(frame({ tool_calls: [{ index: 0, ...call }] })).estimateOutput()).toBe(inWhole);
    expect(seeing(whole({ role: 'assistant', content: null, refusal: 'hello world' })).estimateOutput()).toBe(3);
  });

  it('of a long stream is estimated from its beginning', () => {
    const frames = Array.from({ length: 5_000 }, () => frame({ content: ' hello' }));
    const seen = seeing(...frames);
    expect(seen.bytes()).toBe(Buffer.byteLength(frames.join('')));
    const estimate = seen.estimateOutput() ?? 0;
    expect(Math.abs(estimate - 5_000)).toBeLessThan(50);
  });

  it('is the same however the stream was cut, and whatever becomes of the pieces', () => {
    const frames = Array.from({ length: 2_000 }, (_, place) => frame({ content: ` hello ${place}` })).join('');
    const whole = seeing(frames.slice(0, 16_000)).estimateOutput();
    for (const size of [7, 300, 5_000, 15_999]) {
      const seen = new SeenReply({ provider: { codec }, target });
      for (let at = 0; at < 16_000; at += size) {
        const piece = Buffer.from(frames.slice(at, Math.min(at + size, 16_000)));
        seen.receive(piece);
        if (at > 0) piece.fill(0);
      }
      expect([size, seen.estimateOutput()]).toEqual([size, whole]);
    }
  });

  it('is not known where the bytes cannot be read', () => {
    expect(seeing('{"choices":').estimateOutput()).toBeUndefined();
    expect(seeing().estimateOutput()).toBeUndefined();
    expect(new SeenReply({ provider: { codec: null }, target }).estimateOutput()).toBeUndefined();
  });
});
