import { createLogger } from './create-logger';
import { findLineWriter } from './line-writer';
import { redactSecrets } from './redact';

function logOnce(write: (log: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  write(createLogger({ service: 'test', level: 'info', destination: { write: (line: string) => void (text += line) } }));
  return text;
}

describe('createLogger', () => {
  it('writes levels as numbers and as words, also in lines that are text already', () => {
    const text = logOnce((log) => {
      log.warn('slow');
      findLineWriter(log)?.write(',"msg":"request"');
    });
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);

    expect(lines).toEqual([
      { level: 40, severity: 'warn', time: expect.any(Number) as number, service: 'test', msg: 'slow' },
      { level: 30, severity: 'info', time: expect.any(Number) as number, service: 'test', msg: 'request' },
    ]);
  });

  it('never writes credential fields, at the top or one level down', () => {
    const text = logOnce((log) => log.info({ authorization: 'Bearer abc-secret', headers: { 'x-api-key': 'abc-secret' } }, 'seen'));

    expect(text).toContain('seen');
    expect(text).not.toContain('abc-secret');
  });

  it('cleans credentials out of error messages, stacks and causes', () => {
    const key = `weir_live_${'a1B2'.repeat(9)}`;
    const text = logOnce((log) => log.error({ error: new Error(`refused ${key}`, { cause: new Error(`Bearer ${key}`) }) }));

    expect(text).toContain('refused weir_***');
    expect(text).not.toContain(key);
  });
});

describe('redactSecrets', () => {
  it.each([
    ['sk-proj-abcdefgh12345678', 'sk-***'],
    ['url?key=AbCdEf123&x=1', 'url?key=***&x=1'],
    ['authorization: Bearer abcdef0123456789', 'authorization: Bearer ***'],
  ])('hides %s', (text, cleaned) => {
    expect(redactSecrets(text)).toBe(cleaned);
  });

  it('leaves ordinary text alone', () => {
    expect(redactSecrets('The key of the bicycle is under the mat.')).toBe('The key of the bicycle is under the mat.');
  });
});
