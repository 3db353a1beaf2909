import { encodeError, nameForClients } from './envelopes/encode-error';
import { ERROR_CATALOGUE, getErrorRow, type ErrorCode } from './error-catalogue';
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
      error: { origin: ERROR_CATALOGUE[code].origin, code: nameForClients(error), request_id: 'req-1' },
    });
    expect(gateway.body).toContain('What to do.');
    expect(JSON.parse(messages.body)).toMatchObject({ type: 'error', error: { code: nameForClients(error) }, request_id: 'req-1' });
    expect(messages.body).toContain('What to do.');
    expect([gateway, messages].map(({ headers }) => headers['request-id'])).toEqual([undefined, 'req-1']);
    expect(JSON.parse(accessList.body)).toEqual({ error: { message: 'What to do.' } });
    expect(gateway.headers['x-should-retry']).toBe(String(ERROR_CATALOGUE[code].isRetryable));
  });

  it('shows the provider’s own words for the caller’s mistake, and nothing of what is between the provider and us', () => {
    const report = (code: ErrorCode, word: string) => {
      const error = new GatewayError(code, 'm', { upstream: { status: 400, code: word } });
      return [encodeError(error, 'gateway', 'r').body, encodeError(error, 'messages', 'r').body];
    };

    for (const body of report('provider_refused', 'string_above_max_length')) {
      expect(JSON.parse(body)).toMatchObject({ error: { code: 'provider_refused', provider_code: 'string_above_max_length' } });
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

describe('what clients act on', () => {
  const written = (error: GatewayError, dialect: 'gateway' | 'messages') =>
    (JSON.parse(encodeError(error, dialect, 'r').body) as { error: Record<string, unknown> }).error;

  it('a conversation that is too long is one in the words of either dialect, with the provider’s beside them', () => {
    const error = new GatewayError('provider_context_exceeded', 'The input token count (31) exceeds it.', {
      context: { sent: 31, most: 20 },
    });

    expect(written(error, 'gateway')).toMatchObject({
      ...{ code: 'context_length_exceeded', type: 'invalid_request_error', origin: 'provider' },
      message:
        "This model's maximum context length is 20 tokens. However, your messages resulted in 31 tokens. Please reduce the length of the messages. (The input token count (31) exceeds it.)",
    });
    expect(written(error, 'messages')).toMatchObject({
      ...{ code: 'context_length_exceeded', type: 'invalid_request_error' },
      message: 'prompt is too long: 31 tokens > 20 maximum (The input token count (31) exceeds it.)',
    });
  });

  it.each([
    ['gateway', 'Your input exceeds the context window of this model.'],
    ['gateway', "This model's maximum context length is 8 tokens."],
    ['messages', 'prompt is too long: 9 tokens > 8 maximum'],
    ['messages', 'input length and `max_tokens` exceed context limit: 5 + 4 > 8'],
  ] as const)('%s: what the vendor of the dialect says itself stays as it is: %s', (dialect, message) => {
    expect(written(new GatewayError('provider_context_exceeded', message), dialect)['message']).toBe(message);
  });

  it('says it without numbers where the provider has none', () => {
    const error = new GatewayError('provider_context_exceeded', 'Input is too long for requested model.');

    expect(written(error, 'gateway')['message']).toContain("This model's maximum context length is smaller than this request.");
    expect(written(error, 'messages')['message']).toBe('prompt is too long: Input is too long for requested model.');
  });

  it.each<[ErrorCode, string | undefined, string]>([
    ['provider_content_filtered', undefined, 'content_policy_violation'],
    ['provider_content_filtered', 'DataInspectionFailed', 'content_policy_violation'],
    ['provider_content_filtered', 'content_filter', 'content_filter'],
    ['provider_model_not_found', 'NOT_FOUND', 'model_not_found'],
    ['provider_quota_exhausted', undefined, 'insufficient_quota'],
    ['provider_refused', 'x', 'provider_refused'],
  ])('%s, which the provider calls %s, is written %s', (code, own, expected) => {
    const error = new GatewayError(code, 'm', { upstream: { status: 400, ...(own === undefined ? {} : { code: own }) } });
    expect([written(error, 'gateway')['code'], written(error, 'messages')['code']]).toEqual([expected, expected]);
  });

  it('what trying again cannot mend is the caller’s in the words of OpenAI, whatever its status', () => {
    for (const code of codes.filter((each) => [402, 403, 404, 412, 413].includes(getErrorRow(each).status))) {
      expect([code, written(new GatewayError(code, 'm'), 'gateway')['type']]).toEqual([code, 'invalid_request_error']);
      expect(written(new GatewayError(code, 'm'), 'messages')['type']).toBe(getErrorRow(code).messagesType);
    }
    expect(written(new GatewayError('rate_limited', 'm'), 'gateway')['type']).toBe('rate_limit_error');
    expect(written(new GatewayError('missing_credentials', 'm'), 'gateway')['type']).toBe('authentication_error');
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
