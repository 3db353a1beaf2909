import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTestFolder } from '@weir/testing';
import { inRunFolder } from './in-run-folder';

describe('the folder of a run', () => {
  const outer = process.env['TEST_FOLDER'];
  const told: string[] = [];
  const options = { isKept: (result: string) => result === 'broken', tell: (line: string) => void told.push(line) };
  let folder = '';
  const leave = (result: string) => (own: string) => {
    folder = own;
    writeFileSync(join(makeTestFolder('journal'), 'segment'), 'events');
    return Promise.resolve(result);
  };
  beforeEach(() => void (told.length = 0));
  afterEach(() => expect(process.env['TEST_FOLDER']).toBe(outer));

  it('goes with all that was made in it', async () => {
    expect(await inRunFolder(options, leave('held'))).toBe('held');
    expect({ isThere: existsSync(folder), told }).toEqual({ isThere: false, told: [] });
  });

  it('is kept and told of when somebody wants to look into it', async () => {
    await inRunFolder(options, leave('broken'));
    expect({ isThere: existsSync(folder), told }).toEqual({ isThere: true, told: [expect.stringContaining(folder)] });
  });

  it('is kept and told of after an error', async () => {
    const fail = (own: string): Promise<string> => leave('held')(own).then(() => Promise.reject(new Error('the house burns')));
    await expect(inRunFolder(options, fail)).rejects.toThrow('burns');
    expect({ isThere: existsSync(folder), told }).toEqual({ isThere: true, told: [expect.stringContaining(folder)] });
  });
});
