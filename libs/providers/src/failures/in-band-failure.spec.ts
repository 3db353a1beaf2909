import { explainFailure, readProviderWords } from './explain-failure';
import { isFailureReport, readInBandFailure } from './in-band-failure';

const provider = {
  readError: (status: number, headers: Record<string, string | string[] | undefined>, text: string) =>
    explainFailure({ status, headers, words: readProviderWords(text), secrets: [] }),
};

it.each([
  ['{"type":"error","error":{"type":"overloaded_error","message":"m"}}', 'provider_overloaded'],
  ['{"type":"error","error":{"type":"invalid_request_error","message":"m"}}', 'provider_refused'],
  ['{"type":"error","code":"rate_limit_exceeded","message":"m"}', 'provider_rate_limited'],
  ['{"error":{"code":429,"message":"m"}}', 'provider_rate_limited'],
  ['{"error":{"code":"context_length_exceeded","message":"m"}}', 'provider_context_exceeded'],
  ['{"error":{"message":"prompt is too long: 9 tokens > 8 maximum"}}', 'provider_context_exceeded'],
  ['{"error":{"code":"image_content_policy_violation","message":"m"}}', 'provider_content_filtered'],
  ['{"error":{"message":"m"}}', 'provider_failed'],
  ['{"error":{"code":"constructor","message":"m"}}', 'provider_failed'],
  ['{"error":{"type":"authentication_error","message":"m"}}', 'provider_credentials'],
])('%s is %s', (text, code) => {
  const error = readInBandFailure(provider, text);
  expect([error.code, typeof error.details.upstream?.status]).toEqual([code, 'number']);
});

it.each([
  [{ error: { message: 'm' } }, true],
  [{ error: 'm' }, true],
  [{ status: 'failed', error: null }, true],
  [{ status: 'completed', error: null }, false],
  [{ error: '' }, false],
  [{ error: {} }, true],
  [{ choices: [{}], error: { message: 'm' } }, true],
  [{ object: 'error', message: 'm', code: 3505 }, true],
  [{ object: 'chat.completion', choices: [] }, false],
  [{ choices: [{}], error: { message: '', type: '', param: null, code: null } }, false],
  [[], false],
])('%j reports a failure: %s', (body, expected) => {
  expect(isFailureReport(body)).toBe(expected);
});
