import { cleanFrame, cleanReply } from './clean-reply';

const VERDICT = '{"hate":{"filtered":false,"severity":"safe"}}';

describe('cleanReply', () => {
  it('takes the verdicts of filters out and leaves the rest as it is', () => {
    const reply = `{"id":"r","prompt_filter_results":[{"prompt_index":0,"content_filter_results":${VERDICT}}],"choices":[{"content_filter_results":${VERDICT},"finish_reason":"content_filter","index":0,"message":{"role":"assistant","content":"é"}}],"usage":{"total_tokens": 1e1}}`;

    expect(cleanReply(reply)).toBe(
      '{"id":"r","choices":[{"finish_reason":"content_filter","index":0,"message":{"role":"assistant","content":"é"}}],"usage":{"total_tokens": 1e1}}',
    );
  });

  it.each(['{"id":"r","choices":[]}', 'no json _filter_', '{"choices":[{"message":{"content":"\\"content_filter_results\\""}}]}'])(
    'leaves %s alone',
    (text) => {
      expect(cleanReply(text)).toBe(text);
    },
  );
});

describe('cleanFrame', () => {
  it.each([
    `{"choices":[],"created":0,"id":"","model":"","prompt_filter_results":[{"content_filter_results":${VERDICT}}]}`,
    `{"choices":[{"index":0,"finish_reason":null,"content_filter_results":${VERDICT},"content_filter_offsets":{"check_offset":1}}],"id":"","model":""}`,
    `{"choices":[{"index":0,"finish_reason":null,"delta":{},"content_filter_results":${VERDICT}}]}`,
  ])('sends nothing of a chunk that holds verdicts only: %s', (data) => {
    expect(cleanFrame(data)).toBeNull();
  });

  it.each([
    [
      `{"choices":[{"index":0,"delta":{"content":"a"},"content_filter_results":{}}],"id":"r"}`,
      '{"choices":[{"index":0,"delta":{"content":"a"}}],"id":"r"}',
    ],
    [
      `{"choices":[{"index":0,"delta":{},"finish_reason":"stop","content_filter_results":{}}]}`,
      '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
    ],
    [`{"choices":[],"usage":{"total_tokens":3},"prompt_filter_results":[]}`, '{"choices":[],"usage":{"total_tokens":3}}'],
    ['[DONE]', '[DONE]'],
  ])('keeps what a chunk says besides: %s', (data, clean) => {
    expect(cleanFrame(data)).toBe(clean);
  });
});
