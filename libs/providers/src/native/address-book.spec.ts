import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_IN_FOLDERS, NATIVE_PROVIDERS } from './index';

const FILES = ['index', 'encode-request', 'decode-reply', 'decode-stream', 'read-usage', 'read-error', 'sign-request'];
const folders = readdirSync(__dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort();

describe('the address book of native providers', () => {
  it('names exactly the folders there are', () => {
    const named = new Set([...NATIVE_PROVIDERS.map((provider) => provider.folder), ...BUILT_IN_FOLDERS]);
    expect([...named].sort()).toEqual(folders);
  });

  it('names every provider once', () => {
    const ids = NATIVE_PROVIDERS.map((provider) => provider.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(folders.filter((folder) => !BUILT_IN_FOLDERS.includes(folder)))('finds the seven files in %s', (folder) => {
    expect(FILES.filter((file) => !existsSync(join(__dirname, folder, `${file}.ts`)))).toEqual([]);
  });
});
