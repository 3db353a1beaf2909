import { makeTestFolder } from '@weir/testing';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecretSource, nameReference, secretReference } from '.';

const variables: Record<string, string> = { THE_KEY: ' sk-of-env \n' };
const source = createSecretSource({ env: (name) => variables[name] });

it('reads variables and files, and the version differs where the value does', async () => {
  const folder = makeTestFolder('secrets');
  const file = join(folder, 'key');
  writeFileSync(file, 'sk-one\n');
  expect((await source.read({ env: 'THE_KEY' })).value).toBe('sk-of-env');
  const first = await source.read({ file });
  expect([first.value, (await source.read({ file })).version]).toEqual(['sk-one', first.version]);
  expect(first.version).not.toContain('sk-one');
  // Under a key of each source's own: a guess at the value cannot be compared with it.
  expect((await createSecretSource({ env: () => undefined }).read({ file })).version).not.toBe(first.version);
  writeFileSync(file, 'sk-two\n');
  expect((await source.read({ file })).version).not.toBe(first.version);
});

it('follows the links that a mounted secret of Kubernetes is made of', async () => {
  const folder = makeTestFolder('mounted');
  for (const version of ['..one', '..two']) {
    mkdirSync(join(folder, version));
    writeFileSync(join(folder, version, 'api_key'), `sk-${version.slice(2)}`);
  }
  symlinkSync('..one', join(folder, '..data'));
  symlinkSync('..data/api_key', join(folder, 'api_key'));
  expect((await source.read({ file: join(folder, 'api_key') })).value).toBe('sk-one');
  symlinkSync('..two', join(folder, '..next'));
  renameSync(join(folder, '..next'), join(folder, '..data'));
  expect((await source.read({ file: join(folder, 'api_key') })).value).toBe('sk-two');
});

it.each([
  [{ env: 'NOT_SET' }, 'the variable NOT_SET is not set'],
  [{ file: '/nowhere/at-all' }, 'the file /nowhere/at-all cannot be read (ENOENT)'],
  [{ vault: { path: 'secret/data/a', field: 'b' } }, 'the field "b" of secret/data/a in Vault is asked for, but VAULT_ADDR is not set'],
])('says of %j why it cannot be read', async (reference, message) => {
  await expect(source.read(reference)).rejects.toThrow(message);
});

it('refuses what is empty', async () => {
  const file = join(makeTestFolder('empty'), 'key');
  writeFileSync(file, '\n');
  await expect(source.read({ file })).rejects.toThrow(`${nameReference({ file })} is empty`);
});

it.each([
  { env: '1' },
  { file: '' },
  { vault: { path: 'secret/weir', field: 'a' } },
  { vault: { path: 'secret/data/../sys', field: 'a' } },
  {},
  { env: 'A', file: 'b' },
])('takes %j for no reference', (reference) => {
  expect(secretReference.safeParse(reference).success).toBe(false);
});
