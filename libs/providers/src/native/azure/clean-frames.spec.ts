import { createFrameCleaner } from './clean-frames';

const VERDICT = '{"hate":{"filtered":false,"severity":"safe"}}';
const ALONE = `{"choices":[],"created":0,"id":"","model":"","prompt_filter_results":[{"content_filter_results":${VERDICT}}]}`;
const WORDS = `{"choices":[{"index":0,"delta":{"content":"é"},"content_filter_results":${VERDICT}}],"id":"r"}`;

it('the verdicts on a prompt go with the first chunk that says something', () => {
  const clean = createFrameCleaner();

  expect([ALONE, WORDS, WORDS, '[DONE]'].map(clean)).toEqual([
    null,
    `${WORDS.slice(0, -1)},"prompt_filter_results":[{"content_filter_results":${VERDICT}}]}`,
    WORDS,
    '[DONE]',
  ]);
});

it.each([
  WORDS,
  `{"choices":[{"index":0,"finish_reason":null,"content_filter_results":${VERDICT},"content_filter_offsets":{"check_offset":1}}]}`,
  `{"choices":[],"usage":{"total_tokens":3},"prompt_filter_results":[]}`,
  '{"choices":[{"delta":{"content":"\\"prompt_filter_results\\""}}]}',
  'prompt_filter_results',
])('%s stays as it is', (data) => {
  expect(createFrameCleaner()(data)).toBe(data);
});
