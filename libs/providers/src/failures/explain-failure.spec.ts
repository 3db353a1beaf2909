import { explainFailure, readProviderWords } from './explain-failure';
import { cleanText } from './clean-text';
import { readRetryAfter } from './read-retry-after';

const explain = (status: number, text = '', headers: Record<string, string> = {}) =>
  explainFailure({ status, headers, words: readProviderWords(text), secrets: ['hunter2hunter2'] });

describe('explainFailure', () => {
  it.each([
    [400, 'provider_refused', 400],
    [401, 'provider_credentials', 502],
    [402, 'provider_credentials', 502],
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

  it('takes an exhausted or invalid account for our own trouble, whatever its status', () => {
    expect(explain(429, '{"error":{"message":"You exceeded…","code":"insufficient_quota"}}').code).toBe('provider_credentials');
    expect(
      explain(
        400,
        '{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API."}}',
      ).code,
    ).toBe('provider_credentials');
    expect(
      explain(400, '{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}').code,
    ).toBe('provider_credentials');
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
