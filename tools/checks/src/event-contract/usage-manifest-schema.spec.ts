import { createUsageManifestSchema } from '@weir/api-description';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../repository/read-repository';
import { findIncompatible } from './find-incompatible';

type Schema = Readonly<Record<string, unknown>>;

const FILE = join(REPOSITORY, 'docs', 'schemas', 'usage-manifest.v1.json');

test('the schema of manifests is in the repository as it is served, and only ever gains fields: UPDATE_DOCS=1 writes it', () => {
  const made = createUsageManifestSchema();
  const committed = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Schema) : made;
  expect(findIncompatible(committed, made)).toEqual([]);
  if (process.env['UPDATE_DOCS'] === '1') {
    writeFileSync(FILE, JSON.stringify(made));
    execFileSync(process.execPath, [join(REPOSITORY, 'node_modules', 'prettier', 'bin', 'prettier.cjs'), '--write', FILE]);
  }
  expect(JSON.parse(readFileSync(FILE, 'utf8'))).toEqual(made);
});
