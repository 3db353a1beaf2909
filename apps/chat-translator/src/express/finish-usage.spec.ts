import { NO_USAGE, type Usage } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { finishUsage } from './finish-usage';

function finish(dialect: ChatDialect, told: object, usage: Partial<Usage>): string {
  return finishUsage(JSON.stringify({ usage: told }), ['usage'], {
    dialect,
    told,
    priced: { usage: { ...NO_USAGE, ...usage }, costUsd: '0.10' },
  });
}

describe('finishUsage', () => {
  it('adds the cost and nothing else where the counts are those that are billed', () => {
    const told = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12, prompt_tokens_details: null, extra: 1 };
    expect(finish('chat-completions', told, { inputUncached: 5, output: 7 })).toBe(
      '{"usage":{"prompt_tokens":5,"completion_tokens":7,"total_tokens":12,"prompt_tokens_details":null,"extra":1,"cost":0.10}}',
    );
    expect(finish('messages', { output_tokens: 3, cost: 9 }, { output: 3 })).toBe('{"usage":{"output_tokens":3,"cost":0.10}}');
    expect(finish('responses', { input_tokens: 3, output_tokens: 4 }, { inputUncached: 3, output: 4 })).toBe(
      '{"usage":{"input_tokens":3,"output_tokens":4,"cost":0.10}}',
    );
  });

  it('counts reasoning into the completion where a provider tells it beside', () => {
    const told = { prompt_tokens: 12, completion_tokens: 1, total_tokens: 303, completion_tokens_details: { reasoning_tokens: 290 } };
    expect(JSON.parse(finish('chat-completions', told, { inputUncached: 12, output: 291, reasoning: 290 }))).toMatchObject({
      usage: { prompt_tokens: 12, completion_tokens: 291, total_tokens: 303, completion_tokens_details: { reasoning_tokens: 290 } },
    });
  });

  it('tells what was cached where clients look for it', () => {
    const usage = { inputUncached: 2, cacheRead: 8, output: 1 };
    const told = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11, cached_tokens: 8 };
    const expected = { cached_tokens: 8, prompt_tokens_details: { cached_tokens: 8 } };

    expect(JSON.parse(finish('chat-completions', told, usage))).toMatchObject({ usage: expected });
    expect(JSON.parse(finish('chat-completions', { ...told, prompt_tokens_details: { audio_tokens: 0 } }, usage))).toMatchObject({
      usage: { prompt_tokens_details: { cached_tokens: 8, audio_tokens: 0 } },
    });
  });

  it('adds what a provider made beside the answer to the counts of the answer', () => {
    const told = { input_tokens: 10, output_tokens: 5, iterations: [{ type: 'compaction', input_tokens: 90, output_tokens: 15 }] };
    expect(JSON.parse(finish('messages', told, { inputUncached: 100, output: 20 }))).toMatchObject({
      usage: { input_tokens: 100, output_tokens: 20, iterations: told.iterations },
    });
  });
});
