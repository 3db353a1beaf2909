import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MEDIA_FOLDERS, NATIVE_PROVIDERS } from './index';

const MEDIA_FILES = ['index', 'read-error', 'sign-request'];
const FILES = [...MEDIA_FILES, 'encode-request', 'decode-reply', 'decode-stream', 'read-usage'];
const folders = readdirSync(__dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort();

describe('the address book of native providers', () => {
  it('names exactly the folders there are', () => {
    const named = new Set(NATIVE_PROVIDERS.map((provider) => provider.folder));
    expect([...named].sort()).toEqual(folders);
  });

  it('names every provider once', () => {
    const ids = NATIVE_PROVIDERS.map((provider) => provider.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(folders)('finds the files of its interfaces in %s', (folder) => {
    const wanted = MEDIA_FOLDERS.includes(folder) ? MEDIA_FILES : FILES;
    expect(wanted.filter((file) => !existsSync(join(__dirname, folder, `${file}.ts`)))).toEqual([]);
  });
});
