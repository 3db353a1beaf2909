import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { REPOSITORY } from './repository/read-repository';

const load = createRequire(join(REPOSITORY, 'package.json'));
const LIBRARIES = readdirSync(join(REPOSITORY, 'libs')).filter((name) => existsSync(join(REPOSITORY, 'libs', name, 'dist/index.js')));

describe('what the built libraries export', () => {
  it.each(LIBRARIES)('is a property with a value, %s', (name) => {
    const entry = join(REPOSITORY, 'libs', name, 'dist/index.js');
    expect(readFileSync(entry, 'utf8')).not.toContain('get: function () { return');
    const descriptors = Object.entries(Object.getOwnPropertyDescriptors(load(entry) as object));
    expect(descriptors.length).toBeGreaterThan(1);
    expect(descriptors.filter(([, { value }]) => value === undefined).map(([exported]) => exported)).toEqual([]);
  });
});
