import { createLogger } from './create-logger';
import { redactSecrets } from './redact';

function logOnce(write: (log: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  write(createLogger({ service: 'test', level: 'info', destination: { write: (line: string) => void (text += line) } }));
  return text;
}

describe('createLogger', () => {
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

describe('lines on stdout', () => {
  const exitListeners = process.listeners('exit');
  const files = jest.requireActual<Record<'write' | 'writeSync', (...all: unknown[]) => unknown>>('fs');
  const { write, writeSync } = files;
  const written: string[] = [];
  let refusals: Error[] = [];
  beforeEach(() => {
    written.length = 0;
    jest.spyOn(files, 'write').mockImplementation((...all) => {
      const [fd, text] = all as [number, string];
      const done = all.at(-1) as (error: Error | null, bytes?: number) => void;
      if (fd !== 1) return write(...all);
      const refusal = refusals[0];
      if (refusal === undefined) written.push(String(text));
      setImmediate(() => (refusal === undefined ? done(null, Buffer.byteLength(text)) : done(refusal)));
      return undefined;
    });
    jest.spyOn(files, 'writeSync').mockImplementation((...all) => {
      const [fd, text] = all as [number, string];
      if (fd !== 1) return writeSync(...all);
      const refusal = refusals.shift();
      if (refusal !== undefined) throw refusal;
      written.push(`at once: ${text}`);
      return Buffer.byteLength(text);
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    for (const listener of process.listeners('exit')) if (!exitListeners.includes(listener)) process.removeListener('exit', listener);
  });

  it('are written at once when the last one is fatal', () => {
    const log = createLogger({ service: 'test', level: 'info' });
    log.info('before');
    log.fatal('the end');
    expect(written).toEqual([expect.stringMatching(/^at once: .*before.*\n.*the end/)]);
  });

  it('wait while the disk is full, without ending the process or holding up its end', async () => {
    const log = createLogger({ service: 'test', level: 'info' });
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    refusals = [full, full];
    log.info('x'.repeat(9_000));
    for (let turns = 0; turns < 3; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    log.fatal('not now');
    expect({ written, left: refusals.length }).toEqual({ written: [], left: 2 });
    refusals = [];
    log.info('y'.repeat(9_000));
    for (let turns = 0; turns < 3; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    log.fatal('the end');
    expect(
      written
        .join('')
        .replace(/(x|y){9000}/g, '$1')
        .match(/"msg":"[^"]*"/g),
    ).toEqual(['x', 'not now', 'y', 'the end'].map((message) => `"msg":"${message}"`));
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
    expect(redactSecrets('The key of the door is under the mat.')).toBe('The key of the door is under the mat.');
  });
});
