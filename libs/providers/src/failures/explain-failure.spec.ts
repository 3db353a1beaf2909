import { explainFailure, readProviderWords } from './explain-failure';
import { cleanText } from './clean-text';
import { readRetryAfter } from './read-retry-after';

const explain = (status: number, text = '', headers: Record<string, string> = {}) =>
  explainFailure({ status, headers, words: readProviderWords(text), secrets: ['hunter2hunter2'] });

describe('explainFailure', () => {
  it.each([
    [400, 'provider_refused', 400],
    [401, 'provider_credentials', 502],
    [402, 'provider_quota_exhausted', 502],
    [403, 'provider_credentials', 502],
    [404, 'provider_not_found', 404],
    [408, 'provider_timeout', 504],
    [413, 'provider_body_too_large', 413],
    [418, 'provider_refused', 400],
    [422, 'provider_unprocessable', 422],
    [429, 'provider_rate_limited', 429],
    [500, 'provider_failed', 502],
    [502, 'provider_failed', 502],
    [503, 'provider_overloaded', 503],
    [504, 'provider_timeout', 504],
    [529, 'provider_overloaded', 503],
    [302, 'provider_failed', 502],
  ])('maps the provider’s %d to %s', (status, code, ours) => {
    expect(explain(status, '{"error":{"message":"m","type":"t","code":"c"}}')).toMatchObject({
      code,
      status: ours,
      details: { upstream: { status, code: 'c', type: 't' } },
    });
  });

  it.each([
    ['"messages[0].content"', 'messages[0].content'],
    ['"hunter2hunter2"', '[removed]'],
    ['""', undefined],
    ['null', undefined],
    ['{"a":1}', undefined],
  ])('keeps the field that the provider found fault with: %s', (reported, kept) => {
    expect(explain(400, `{"error":{"message":"m","param":${reported}}}`).details.upstream?.param).toBe(kept);
  });

  const error = (message: string, more: object = {}) => JSON.stringify({ error: { message, ...more } });
  const anthropic = (message: string, type = 'invalid_request_error') => JSON.stringify({ type: 'error', error: { type, message } });

  it.each<[string, number, string, string]>([
    ['openai', 429, error('You exceeded…', { code: 'insufficient_quota', type: 'insufficient_quota' }), 'provider_quota_exhausted'],
    ['anthropic', 400, anthropic('Your credit balance is too low to access the Anthropic API.'), 'provider_quota_exhausted'],
    ['deepseek', 402, error('Insufficient Balance', { type: 'unknown_error', code: 'invalid_request_error' }), 'provider_quota_exhausted'],
    ['moonshot', 429, error('Your account is suspended', { type: 'exceeded_current_quota_error' }), 'provider_quota_exhausted'],
    [
      'google',
      429,
      error('You exceeded your current quota, please check your plan and billing details.', { code: 429, status: 'RESOURCE_EXHAUSTED' }),
      'provider_rate_limited',
    ],
    [
      'google',
      400,
      error('API key not valid. Please pass a valid API key.', { code: 400, status: 'INVALID_ARGUMENT' }),
      'provider_credentials',
    ],
    [
      'azure',
      400,
      error("The response was filtered due to the prompt triggering Azure OpenAI's content management policy.", { code: 'content_filter' }),
      'provider_content_filtered',
    ],
    [
      'openai',
      400,
      error('Invalid prompt: your prompt was flagged as potentially violating our usage policy.', { code: 'invalid_prompt' }),
      'provider_content_filtered',
    ],
    [
      'openai',
      400,
      error('Your request was rejected as a result of our safety system.', { code: 'moderation_blocked' }),
      'provider_content_filtered',
    ],
    ['openai', 400, error('The arguments are odd.', { code: 'invalid_prompt' }), 'provider_refused'],
    ['anthropic', 400, anthropic('Output blocked by content filtering policy'), 'provider_content_filtered'],
    [
      'alibaba',
      400,
      error('Input data may contain inappropriate content.', { code: 'data_inspection_failed' }),
      'provider_content_filtered',
    ],
    ['openrouter', 403, error('This model requires moderation on OpenRouter.', { code: 403 }), 'provider_content_filtered'],
    [
      'openai',
      404,
      error('The model `babbage-002-wrong` does not exist or you do not have access to it.', { code: 'model_not_found' }),
      'provider_model_not_found',
    ],
    [
      'groq',
      400,
      error('The model `llama3-8b` has been decommissioned and is no longer supported.', { code: 'model_decommissioned' }),
      'provider_model_not_found',
    ],
    ['anthropic', 404, anthropic('model: claude-2.1', 'not_found_error'), 'provider_model_not_found'],
    [
      'google',
      404,
      error('models/gemini-5.0-flash is not found for API version v1, or is not supported for generateContent.', {
        code: 404,
        status: 'NOT_FOUND',
      }),
      'provider_model_not_found',
    ],
    [
      'azure',
      404,
      error('The API deployment for this resource does not exist.', { code: 'DeploymentNotFound' }),
      'provider_model_not_found',
    ],
    ['deepseek', 400, error('Model Not Exist', { code: 'invalid_request_error' }), 'provider_model_not_found'],
    [
      'vertex',
      404,
      error('Not found: cache content metadata 8754364356910645200.', { code: 404, status: 'NOT_FOUND' }),
      'provider_not_found',
    ],
    [
      'moonshot',
      429,
      error('The engine is currently overloaded, please try again later', { type: 'engine_overloaded_error' }),
      'provider_overloaded',
    ],
    [
      'openai',
      429,
      error('Rate limit reached for gpt-4o on tokens per min (TPM)', { code: 'rate_limit_exceeded' }),
      'provider_rate_limited',
    ],
    [
      'openai',
      400,
      error("Invalid 'user': string too long. Expected a string with maximum length 64", { code: 'string_above_max_length' }),
      'provider_refused',
    ],
    [
      'openai',
      400,
      error('max_tokens is too large: 99999. This model supports at most 16384 completion tokens', { code: 'invalid_value' }),
      'provider_refused',
    ],
  ])('%s with %i: %s is %s', (_, status, text, code) => {
    expect(explain(status, text).code).toBe(code);
  });

  it.each<[string, number, string, { sent?: number; most?: number }]>([
    ['anthropic', 400, anthropic('prompt is too long: 213462 tokens > 200000 maximum'), { sent: 213462, most: 200000 }],
    [
      'anthropic',
      400,
      anthropic('input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length'),
      { sent: 188240, most: 200000 },
    ],
    [
      'openai',
      400,
      error(
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. Please reduce the length of the messages.",
        { code: 'context_length_exceeded' },
      ),
      { sent: 9000, most: 8192 },
    ],
    [
      'openai',
      400,
      error('Your input exceeds the context window of this model. Please adjust your input and try again.', {
        code: 'context_length_exceeded',
      }),
      {},
    ],
    [
      'openai',
      400,
      error('Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 509178 tokens.', {
        code: 'context_length_exceeded',
      }),
      { sent: 509178, most: 272000 },
    ],
    [
      'deepseek',
      400,
      error(
        "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens (139000 in the messages, 1000 in the completion).",
        { code: 'invalid_request_error' },
      ),
      { sent: 140000, most: 131072 },
    ],
    [
      'google',
      400,
      error('The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', {
        code: 400,
        status: 'INVALID_ARGUMENT',
      }),
      { sent: 1200000, most: 1048576 },
    ],
    ['vertex', 400, error('The input token count exceeds the maximum number of tokens allowed 1048576.', { code: 400 }), { most: 1048576 }],
    ['bedrock', 400, '{"message":"Input is too long for requested model."}', {}],
    ['bedrock', 400, '{"message":"Too many input tokens. Max input tokens: 8192, request input token count: 11576 "}', { most: 8192 }],
    [
      'xai',
      400,
      '{"code":"x","error":"This model\'s maximum prompt length is 131072 but the request contains 537812 tokens."}',
      { sent: 537812, most: 131072 },
    ],
    [
      'mistral',
      400,
      '{"object":"error","message":"Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length","type":"invalid_request_error","code":"3051"}',
      { sent: 40000, most: 32768 },
    ],
    [
      'cohere',
      400,
      '{"message":"too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292. Try using a shorter prompt."}',
      { most: 4081 },
    ],
    ['groq', 400, error('Please reduce the length of the messages or completion.', { code: 'context_length_exceeded' }), {}],
    [
      'cerebras',
      400,
      '{"message":"Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192","code":"context_length_exceeded"}',
      { sent: 9000, most: 8192 },
    ],
    [
      'together',
      422,
      error('Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens'),
      { sent: 9000, most: 8193 },
    ],
    ['alibaba', 400, error('Range of input length should be [1, 30720]', { code: 'invalid_parameter_error' }), { most: 30720 }],
    [
      'moonshot',
      400,
      error('Invalid request: Your request exceeded model token limit: 131072 (requested: 140000)'),
      { sent: 140000, most: 131072 },
    ],
    ['minimax', 400, error('invalid params, context window exceeds limit (2013)'), {}],
    [
      'llama.cpp',
      400,
      error('the request exceeds the available context size (4096 tokens), try increasing it', { type: 'exceed_context_size_error' }),
      { most: 4096 },
    ],
    ['fireworks', 400, error('The prompt is too long: 140000, model maximum context length: 131072'), {}],
  ])('%s with %i: %s is too long for the context', (_, status, text, context) => {
    const explained = explain(status, text);
    expect([explained.code, explained.details.context ?? {}]).toEqual(['provider_context_exceeded', context]);
  });

  it('never shows the provider’s words about our credentials', () => {
    const error = explain(401, '{"error":{"message":"Incorrect API key provided: sk-proj-abcdef123456"}}');

    expect(error.message).not.toContain('sk-');
    expect(String((error.cause as Error).message)).toBe('Incorrect API key provided: [removed]');
  });

  it.each([
    ['{"error":{"message":"a"}}', 'a'],
    ['{"error":"a"}', 'a'],
    ['{"code":"x","error":"a"}', 'a'],
    ['{"object":"error","message":"a"}', 'a'],
    ['{"detail":[{"msg":"a"},{"msg":"b"}]}', 'a; b'],
    ['{"detail":"a"}', 'a'],
    ['[{"error":{"message":"a","status":"INVALID_ARGUMENT"}}]', 'a'],
    ['plain a', 'plain a'],
    ['<html><body>Bad</body></html>', 'The provider answered with status 400.'],
    ['', 'The provider answered with status 400.'],
  ])('reads %s', (text, message) => {
    expect(explain(400, text).message).toBe(message);
  });

  it('returns how long to wait when waiting helps, and a second at least for an overload', () => {
    expect(explain(429, '', { 'retry-after': '12' }).details.retryAfterSeconds).toBe(12);
    expect(explain(429, '').details.retryAfterSeconds).toBeUndefined();
    expect(explain(529, '').details.retryAfterSeconds).toBe(1);
    expect(explain(400, '', { 'retry-after': '12' }).details.retryAfterSeconds).toBeUndefined();
  });
});

describe('readRetryAfter', () => {
  it('reads seconds, milliseconds and dates, rounded up and bounded', () => {
    expect(readRetryAfter({ 'retry-after': '1.2' })).toBe(2);
    expect(readRetryAfter({ 'retry-after-ms': '1500', 'retry-after': '9' })).toBe(2);
    expect(readRetryAfter({ 'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT' }, Date.parse('2026-01-01T00:00:00Z'))).toBe(60);
    expect(readRetryAfter({ 'retry-after': '99999999' })).toBe(86_400);
    expect(readRetryAfter({ 'retry-after': 'soon' })).toBeUndefined();
    expect(readRetryAfter({})).toBeUndefined();
  });
});

describe('cleanText', () => {
  it.each([
    'key sk-ant-api03-abcDEF123 here',
    'Bearer abc.def.ghi-123',
    'AIzaSyA1234567890abcdefg',
    'https://x/?key=abc123&b=1',
    'mine is hunter2hunter2!',
    `token ${'aB3'.repeat(20)}`,
  ])('removes the secret of: %s', (text) => {
    expect(cleanText(text, ['hunter2hunter2'])).toContain('[removed]');
    expect(cleanText(text, ['hunter2hunter2'])).not.toMatch(/api03|def\.ghi|SyA123|abc123|hunter2|aB3aB3/);
  });

  it('keeps ordinary words, on one line and at most 500 characters', () => {
    expect(cleanText('max_tokens is\n too large: 99999.')).toBe('max_tokens is too large: 99999.');
    expect(cleanText('a b '.repeat(1000))).toHaveLength(500);
  });
});
