import { NO_USAGE, type ChatEvent, type Usage } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { wireFormats } from '../wire-formats';

function begin(dialect: ChatDialect, usage: Usage | undefined, estimatePrompt: () => number): string {
  const asked = { model: 'm', turns: [], stream: true };
  const context = { requestId: 'r', modelId: 'm', asked, body: {}, nowMs: 1_790_000_000_000, estimatePrompt };
  const start: ChatEvent = { type: 'start', id: 'a', model: 'm', createdAtSeconds: 1, ...(usage === undefined ? {} : { usage }) };
  return wireFormats[dialect].createStreamEncoder(context).encode(start);
}

describe('the usage that a message begins with', () => {
  it.each([
    ['nothing', undefined],
    ['a usage of nothing', NO_USAGE],
  ])('is the estimate of the prompt when the provider begins with %s', (_what, usage) => {
    expect(begin('messages', usage, () => 42)).toContain('"input_tokens":42,');
  });

  it.each<[string, Partial<Usage>, string]>([
    ['uncached', { inputUncached: 7 }, '"input_tokens":7,'],
    ['from the cache', { cacheRead: 8 }, '"input_tokens":0,'],
  ])('is what the provider reported as input %s', (_where, reported, expected) => {
    const estimate = jest.fn(() => 42);
    expect(begin('messages', { ...NO_USAGE, ...reported }, estimate)).toContain(expected);
    expect(estimate).not.toHaveBeenCalled();
  });

  it.each<ChatDialect>(['chat-completions', 'responses'])('is not estimated for %s, which reports usage at the end only', (dialect) => {
    const estimate = jest.fn(() => 42);
    begin(dialect, undefined, estimate);
    expect(estimate).not.toHaveBeenCalled();
  });
});
