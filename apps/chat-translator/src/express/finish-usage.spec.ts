import { NO_USAGE, type Usage } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { finishUsage } from './finish-usage';

function finish(dialect: ChatDialect, reported: object, usage: Partial<Usage>): string {
  return finishUsage(JSON.stringify({ usage: reported }), ['usage'], {
    dialect,
    reported,
    priced: { usage: { ...NO_USAGE, ...usage }, costUsd: '0.10' },
  });
}

describe('finishUsage', () => {
  it('adds the cost and nothing else where the counts are those that are billed', () => {
    const reported = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12, prompt_tokens_details: null, extra: 1 };
    expect(finish('chat-completions', reported, { inputUncached: 5, output: 7 })).toBe(
      '{"usage":{"prompt_tokens":5,"completion_tokens":7,"total_tokens":12,"prompt_tokens_details":null,"extra":1,"cost":0.10}}',
    );
    expect(finish('messages', { output_tokens: 3, cost: 9 }, { output: 3 })).toBe('{"usage":{"output_tokens":3,"cost":0.10}}');
    expect(finish('responses', { input_tokens: 3, output_tokens: 4 }, { inputUncached: 3, output: 4 })).toBe(
      '{"usage":{"input_tokens":3,"output_tokens":4,"cost":0.10}}',
    );
  });

  it('sets right what cannot be, wherever it stands', () => {
    const reported = {
      ...{
        prompt_tokens: 1e300,
        completion_tokens: '7',
        total_tokens: -4,
        prompt_tokens_details: { cached_tokens: 9.5, audio_tokens: 1e9 },
      },
      completion_tokens_details: { reasoning_tokens: null, audio_tokens: -1 },
    };
    expect(JSON.parse(finish('chat-completions', reported, { inputUncached: 30, output: 7 }))).toEqual({
      usage: {
        ...{ prompt_tokens: 30, completion_tokens: 7, total_tokens: 37, prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 } },
        ...{ completion_tokens_details: { reasoning_tokens: null, audio_tokens: 0 }, cost: 0.1 },
      },
    });
    const writes = { cache_creation: { ephemeral_5m_input_tokens: 1e20 }, server_tool_use: { web_search_requests: 1e20 } };
    expect(JSON.parse(finish('messages', { input_tokens: -1, ...writes }, { inputUncached: 30 }))).toEqual({
      usage: {
        ...{ input_tokens: 30, cache_creation: { ephemeral_5m_input_tokens: 0 }, server_tool_use: { web_search_requests: 0 } },
        cost: 0.1,
      },
    });
  });

  it.each<[ChatDialect, object, Partial<Usage>, object]>([
    ['chat-completions', { prompt_tokens_details: { cache_write_tokens: 99 } }, { cacheWrite5m: 9 }, { cache_write_tokens: 9 }],
    ['responses', { input_tokens_details: { cache_write_tokens: 99 } }, { cacheWrite5m: 9 }, { cache_write_tokens: 9 }],
    ['messages', { output_tokens_details: { thinking_tokens: 99 } }, { output: 9, reasoning: 9 }, { thinking_tokens: 9 }],
  ])('%s: shows cache writes and reasoning as they are charged: %j', (dialect, reported, charged, shown) => {
    const [name = ''] = Object.keys(reported);
    const { usage } = JSON.parse(finish(dialect, reported, charged)) as { usage: Record<string, object> };
    expect(usage[name]).toMatchObject(shown);
    const unreported = JSON.parse(finish(dialect, { [name]: {} }, charged)) as { usage: Record<string, object> };
    expect(Object.keys(unreported.usage[name] ?? {})).not.toContain(Object.keys(shown)[0]);
  });

  it('adds reasoning to the completion where a provider reports it beside', () => {
    const reported = { prompt_tokens: 12, completion_tokens: 1, total_tokens: 303, completion_tokens_details: { reasoning_tokens: 290 } };
    expect(JSON.parse(finish('chat-completions', reported, { inputUncached: 12, output: 291, reasoning: 290 }))).toMatchObject({
      usage: { prompt_tokens: 12, completion_tokens: 291, total_tokens: 303, completion_tokens_details: { reasoning_tokens: 290 } },
    });
  });

  it('writes cached tokens to the members that clients read', () => {
    const usage = { inputUncached: 2, cacheRead: 8, output: 1 };
    const reported = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11, cached_tokens: 8 };
    const expected = { cached_tokens: 8, prompt_tokens_details: { cached_tokens: 8 } };

    expect(JSON.parse(finish('chat-completions', reported, usage))).toMatchObject({ usage: expected });
    expect(JSON.parse(finish('chat-completions', { ...reported, prompt_tokens_details: { audio_tokens: 0 } }, usage))).toMatchObject({
      usage: { prompt_tokens_details: { cached_tokens: 8, audio_tokens: 0 } },
    });
  });

  it('leaves the counts of an answer beside which a provider made summaries: clients count their context by them', () => {
    const reported = { input_tokens: 10, output_tokens: 5, iterations: [{ type: 'compaction', input_tokens: 90, output_tokens: 15 }] };
    const usage = { inputUncached: 100, output: 20, aside: { ...NO_USAGE, inputUncached: 90, output: 15 } };
    expect(JSON.parse(finish('messages', reported, usage))).toMatchObject({
      usage: { input_tokens: 10, output_tokens: 5, iterations: reported.iterations },
    });
  });
});
