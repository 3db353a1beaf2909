import { readdirSync } from 'node:fs';
import { NATIVE_PROVIDERS } from './index';

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
});
