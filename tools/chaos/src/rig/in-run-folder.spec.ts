import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTestFolder } from '@weir/testing';
import { inRunFolder } from './in-run-folder';

describe('the folder of a run', () => {
  const outer = process.env['TEST_FOLDER'];
  const reported: string[] = [];
  const options = { isKept: (result: string) => result === 'broken', report: (line: string) => void reported.push(line) };
  let folder = '';
  const leave = (result: string) => (own: string) => {
    folder = own;
    writeFileSync(join(makeTestFolder('journal'), 'segment'), 'events');
    return Promise.resolve(result);
  };
  beforeEach(() => void (reported.length = 0));
  afterEach(() => expect(process.env['TEST_FOLDER']).toBe(outer));

  it('goes with all that was made in it', async () => {
    expect(await inRunFolder(options, leave('held'))).toBe('held');
    expect({ isThere: existsSync(folder), reported }).toEqual({ isThere: false, reported: [] });
  });

  it('is kept and its path printed when its result is one to keep', async () => {
    await inRunFolder(options, leave('broken'));
    expect({ isThere: existsSync(folder), reported }).toEqual({ isThere: true, reported: [expect.stringContaining(folder)] });
  });

  it('is kept and its path printed after an error', async () => {
    const fail = (own: string): Promise<string> => leave('held')(own).then(() => Promise.reject(new Error('the run failed')));
    await expect(inRunFolder(options, fail)).rejects.toThrow('the run failed');
    expect({ isThere: existsSync(folder), reported }).toEqual({ isThere: true, reported: [expect.stringContaining(folder)] });
  });
});
