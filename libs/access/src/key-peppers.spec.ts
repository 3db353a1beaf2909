import { digestApiKey, generateApiKey } from './api-key-format';
import { createKeyDigests, createKeyPeppers, pepperVersion, splitDigests } from './key-peppers';

const OLD = 'the pepper that goes, of 32 characters or more';
const NEW = 'the pepper that comes, of 32 characters or more';
const key = generateApiKey('live');

describe('digests of a key', () => {
  it('are one under one pepper, and not a byte more', () => {
    const digests = createKeyDigests(createKeyPeppers(NEW, undefined))(key);
    expect(digests).toEqual(digestApiKey(key, NEW));
    expect(splitDigests(digests)).toEqual([digests]);
  });

  it('are two while one pepper takes the place of another, that in force first', () => {
    const digests = createKeyDigests(createKeyPeppers(NEW, OLD))(key);
    expect(splitDigests(digests)).toEqual([digestApiKey(key, NEW), digestApiKey(key, OLD)]);
  });

  it('are one where the settings name the same pepper twice', () => {
    expect(createKeyPeppers(NEW, NEW)).toEqual({ current: NEW });
  });
});

describe('the version of a pepper', () => {
  it('is the same everywhere, differs between peppers, fits the column and is never that of rows that say nothing', () => {
    const versions = Array.from({ length: 200 }, (_, at) => pepperVersion(`${OLD} ${at}`));
    expect(pepperVersion(OLD)).toBe(pepperVersion(OLD));
    expect(new Set(versions).size).toBe(versions.length);
    for (const version of versions) expect(version > 1 && version < 2 ** 31 && Number.isInteger(version)).toBe(true);
  });
});
