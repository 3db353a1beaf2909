import { GatewayError } from '@weir/errors';
import { readUnstreamed } from './read-unstreamed';

const provider = { readError: (status: number) => new GatewayError(status === 429 ? 'provider_rate_limited' : 'provider_failed', 'm') };

it.each([
  ['{"error":{"message":"m","code":"rate_limit_exceeded"}}', 'provider_rate_limited'],
  ['{"type":"error","error":{"type":"api_error","message":"m"}}', 'provider_failed'],
  ['{"choices":[]}', 'provider_unreadable'],
  ['{"cut', 'provider_unreadable'],
])('%s is %s', (text, code) => {
  expect(readUnstreamed(provider, text).code).toBe(code);
});
