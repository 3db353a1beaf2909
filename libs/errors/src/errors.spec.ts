import { encodeError } from './envelopes/encode-error';
import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue';
import { GatewayError, toGatewayError } from './gateway-error';

const codes = Object.keys(ERROR_CATALOGUE) as ErrorCode[];

describe('encodeError', () => {
  it.each(codes)('writes %s in every dialect with the catalogue row as its status', (code) => {
    const error = new GatewayError(code, 'What to do.');

    const gateway = encodeError(error, 'gateway', 'req-1');
    const messages = encodeError(error, 'messages', 'req-1');
    const accessList = encodeError(error, 'access-list', 'req-1');

    expect(gateway.status).toBe(ERROR_CATALOGUE[code].status);
    expect(JSON.parse(gateway.body)).toMatchObject({
      error: { origin: ERROR_CATALOGUE[code].origin, message: 'What to do.', code, request_id: 'req-1' },
    });
    expect(JSON.parse(messages.body)).toMatchObject({ type: 'error', error: { message: 'What to do.' }, request_id: 'req-1' });
    expect([gateway, messages].map(({ headers }) => headers['request-id'])).toEqual([undefined, 'req-1']);
    expect(JSON.parse(accessList.body)).toEqual({ error: { message: 'What to do.' } });
    expect(gateway.headers['x-should-retry']).toBe(String(ERROR_CATALOGUE[code].isRetryable));
  });

  it('shows the provider’s own words for the caller’s mistake, and nothing of what is between the provider and us', () => {
    const report = (code: ErrorCode, word: string) => {
      const error = new GatewayError(code, 'm', { upstream: { status: 400, code: word } });
      return [encodeError(error, 'gateway', 'r').body, encodeError(error, 'messages', 'r').body];
    };

    for (const body of report('provider_refused', 'context_length_exceeded')) {
      expect(JSON.parse(body)).toMatchObject({ error: { code: 'provider_refused', provider_code: 'context_length_exceeded' } });
    }
    for (const body of [...report('provider_credentials', 'insufficient_quota'), ...report('provider_refused', '400')]) {
      expect(body).not.toContain('provider_code');
    }
  });

  it('names the field the provider found fault with, unless the gateway knows better or the fault is not the caller’s', () => {
    const param = (code: ErrorCode, field?: string): unknown => {
      const upstream = { status: 400, param: 'messages[0].content' };
      const error = new GatewayError(code, 'm', { upstream, ...(field === undefined ? {} : { field }) });
      return (JSON.parse(encodeError(error, 'gateway', 'r').body) as { error: { param?: string } }).error.param;
    };

    expect(param('provider_refused')).toBe('messages[0].content');
    expect(param('provider_refused', 'model')).toBe('model');
    expect(param('provider_failed')).toBeNull();
  });

  it('shows the limit that refused a request, where the envelope has a place for it', () => {
    const limit = {
      ...{ id: 'l', name: 'n', scope: 'key', measure: 'requests', window: 'minute' },
      ...{ limit: '5', used: '5', remaining: '0', asked: '1', frees_at: '2026-11-24T02:00:00.000Z' },
    };
    const error = new GatewayError('rate_limited', 'm', { limit });

    for (const dialect of ['gateway', 'messages'] as const) {
      expect(JSON.parse(encodeError(error, dialect, 'r').body)).toMatchObject({ error: { limit } });
    }
    expect(encodeError(error, 'access-list', 'r').body).toBe('{"error":{"message":"m"}}');
    expect(encodeError(new GatewayError('rate_limited', 'm'), 'gateway', 'r').body).not.toContain('"limit"');
  });

  it('says how long to wait in whole seconds, never less than one', () => {
    expect(encodeError(new GatewayError('rate_limited', '', { retryAfterSeconds: 0.2 }), 'gateway', '').headers['retry-after']).toBe('1');
    expect(encodeError(new GatewayError('overloaded', ''), 'gateway', '').headers['retry-after']).toBe('5');
  });
});

describe('x-should-retry', () => {
  const reported = (code: ErrorCode, retryAfterSeconds?: number): string | undefined =>
    encodeError(new GatewayError(code, '', retryAfterSeconds === undefined ? {} : { retryAfterSeconds }), 'gateway', '').headers[
      'x-should-retry'
    ];

  it('is false where the wait is longer than clients wait, and true where it is short', () => {
    expect([reported('rate_limited'), reported('rate_limited', 30), reported('rate_limited', 60)]).toEqual(['true', 'true', 'true']);
    expect([reported('rate_limited', 6 * 3600), reported('provider_rate_limited', 3600)]).toEqual(['false', 'false']);
  });

  it('does not keep routes from trying elsewhere', () => {
    expect(new GatewayError('provider_rate_limited', '', { retryAfterSeconds: 3600 }).isRetryable).toBe(true);
  });
});

describe('toGatewayError', () => {
  it('keeps the text of an unknown error to itself', () => {
    const error = toGatewayError(new TypeError('secret detail'));

    expect(error.code).toBe('internal');
    expect(error.message).not.toContain('secret detail');
    expect(error.cause).toBeInstanceOf(TypeError);
  });
});
