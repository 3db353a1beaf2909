import { createLogger, type Logger } from './create-logger';
import { createTerminalLines } from './terminal-lines';

const AT = new Date(2026, 10, 23, 22, 3, 10).getTime();

function show(write: (log: Logger) => void, isColoured = false): string {
  jest.useFakeTimers({ now: AT });
  let text = '';
  const lines = createTerminalLines({ write: (line) => void (text += line) }, { isColoured });
  write(createLogger({ service: 'test', level: 'info', destination: lines, format: 'json' }));
  jest.useRealTimers();
  return text;
}

const REQUEST = { requestId: 'id', method: 'POST', path: '/v1/chat/completions', status: 200, complete: true, durationMs: 8 };

describe('lines for a terminal', () => {
  it('show a request with its model, time, tokens, cost and key', () => {
    const notes = {
      apiKeyId: 'a',
      apiKeyName: 'team',
      model: 'sandbox/chat',
      attempts: 1,
      inputTokens: 12,
      outputTokens: 40,
      costUsd: '0.000045',
    };
    expect(show((log) => log.info({ ...REQUEST, ...notes }, 'request'))).toBe(
      '22:03:10 200 sandbox/chat 8 ms 12→40 tokens $0.000045 key "team"\n',
    );
  });

  it.each([
    [{ status: 401, error: 'authentication_failed' }, '401 POST /v1/chat/completions authentication_failed 8 ms'],
    [{ model: 'a/b', attempts: 2, durationMs: 1234.5 }, '200 a/b 1.2 s 2 attempts'],
    [{ model: 'a/b', complete: false }, '200 a/b broken off 8 ms'],
    [{ model: 'a/b', isReplayed: true }, '200 a/b 8 ms replayed'],
    [{ status: 502, model: 'a/b', error: 'provider_failed' }, '502 a/b provider_failed 8 ms request id'],
  ])('show a request with %j', (more, line) => {
    expect(show((log) => log.info({ ...REQUEST, ...more }, 'request'))).toBe(`22:03:10 ${line}\n`);
  });

  it('show a warning with its cause and fields, and no stack', () => {
    const error = new Error('no answer', { cause: new Error('connect ECONNREFUSED') });
    expect(show((log) => log.warn({ error, provider: 'openai', found: { a: 1 } }, 'the provider failed'))).toBe(
      '22:03:10 warning: the provider failed: no answer (because: connect ECONNREFUSED) provider=openai found={"a":1}\n',
    );
  });

  it('repeat no field that the message has', () => {
    expect(show((log) => log.info({ runningRequests: 2, port: 4000 }, 'waiting for 2 requests'))).toBe(
      '22:03:10 waiting for 2 requests port=4000\n',
    );
  });

  it('show where a mistake of the gateway was made', () => {
    const text = show((log) => log.error({ error: new TypeError('x is undefined') }, 'stopping failed'));
    expect(text).toMatch(/^22:03:10 error: stopping failed: x is undefined\n {4}at .*terminal-lines\.spec\.ts/);
  });

  it('are green, yellow or red where the terminal has colours', () => {
    const of = (status: number): string => show((log) => log.info({ ...REQUEST, status }, 'request'), true);
    const colours = [of(200), of(404), of(500)].map((line) => ['32', '33', '31'].filter((code) => line.includes(`\u001b[${code}m`)));
    expect(colours).toEqual([['32'], ['33'], ['31']]);
  });

  it('let no caller steer the terminal', () => {
    const model = 'evil\u001b[2J\u0007\u202e';
    const text = show((log) => log.info({ ...REQUEST, model, apiKeyName: 'a\nb' }, 'request'));
    expect(text).toBe('22:03:10 200 evil?[2J?? 8 ms key "a?b"\n');
    expect(show((log) => log.warn({ note: '\u001b]0;title' }, 'odd'))).toBe('22:03:10 warning: odd note=?]0;title\n');
  });

  it('hide credentials as JSON lines do', () => {
    expect(show((log) => log.warn({ authorization: 'Bearer abc-secret' }, 'seen'))).toBe('22:03:10 warning: seen authorization=***\n');
  });
});
