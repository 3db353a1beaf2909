import { createLogger, type Logger } from './create-logger';

describe('lines on stdout', () => {
  const exitListeners = process.listeners('exit');
  const files = jest.requireActual<Record<'write' | 'writeSync', (...all: unknown[]) => unknown>>('fs');
  const { write, writeSync } = files;
  const written: string[] = [];
  let refusals: Error[] = [];
  let log: Logger;
  const open = (): Logger => (log = createLogger({ service: 'test', level: 'info' }));
  beforeEach(() => {
    written.length = 0;
    refusals = [];
    jest.spyOn(files, 'write').mockImplementation((...all) => {
      const [fd, text] = all as [number, Buffer];
      const done = all.at(-1) as (error: Error | null, bytes?: number) => void;
      if (fd !== 1) return write(...all);
      const refusal = refusals[0];
      if (refusal === undefined) written.push(String(text));
      setImmediate(() => (refusal === undefined ? done(null, Buffer.byteLength(text)) : done(refusal)));
      return undefined;
    });
    jest.spyOn(files, 'writeSync').mockImplementation((...all) => {
      const [fd, text] = all as [number, Buffer];
      if (fd !== 1) return writeSync(...all);
      const refusal = refusals.shift();
      if (refusal !== undefined) throw refusal;
      written.push(`at once: ${text}`);
      return Buffer.byteLength(text);
    });
  });
  afterEach(() => {
    refusals = [];
    log.fatal('nothing is left behind');
    jest.restoreAllMocks();
    for (const listener of process.listeners('exit')) if (!exitListeners.includes(listener)) process.removeListener('exit', listener);
  });

  it('are written at once when the last one is fatal', () => {
    open();
    log.info('before');
    log.fatal('the end');
    expect(written).toEqual([expect.stringMatching(/^at once: .*before.*\n.*the end/)]);
  });

  it.each(['ENOSPC', 'EPIPE', 'EIO'])('that are the last are tried once where all there is to hear is %s', (code) => {
    open();
    refusals = Array.from({ length: 5 }, () => Object.assign(new Error('refused'), { code }));
    log.fatal('the end');
    expect({ written, left: refusals.length }).toEqual({ written: [], left: 4 });
  });

  it('wait a moment for a reader that is slow when they are the last', () => {
    open();
    refusals = Array.from({ length: 3 }, () => Object.assign(new Error('later'), { code: 'EAGAIN' }));
    log.fatal('the end');
    expect(written).toEqual([expect.stringMatching(/^at once: .*the end/)]);
  });

  it('do not wait for ever for a reader that reads nothing', () => {
    open();
    jest.spyOn(Date, 'now').mockReturnValueOnce(0).mockReturnValueOnce(0);
    refusals = Array.from({ length: 1_000 }, () => Object.assign(new Error('later'), { code: 'EAGAIN' }));
    log.fatal('the end');
    expect({ written, isGivenUp: refusals.length > 900 }).toEqual({ written: [], isGivenUp: true });
  });

  it('are gone beyond what may wait, and no others', async () => {
    open();
    refusals = [Object.assign(new Error('no space left'), { code: 'ENOSPC' })];
    for (let at = 0; at < 300; at += 1) log.info(`${at} ${'x'.repeat(2 ** 16)}`);
    await new Promise((resolve) => setImmediate(resolve));
    refusals = [];
    log.info('dropped as well');
    log.fatal('dropped too');
    log.fatal('heard');
    const heard = written.join('').match(/"msg":"(\w+)/g) ?? [];
    expect(heard.length).toBeGreaterThan(200);
    expect(heard.length).toBeLessThan(300);
    expect(heard.at(-1)).toBe('"msg":"heard');
    expect(heard).not.toContain('"msg":"dropped');
  });

  it('wait while the disk is full, without ending the process or holding up its end', async () => {
    open();
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    refusals = [full, full];
    log.info('x'.repeat(9_000));
    for (let turns = 0; turns < 3; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    log.fatal('not now');
    expect({ written, left: refusals.length }).toEqual({ written: [], left: 1 });
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
