import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePrivateDirectory, tightenMode } from './private-directory';

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'weir-private-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

function modeOf(path: string): string {
  return (statSync(path).mode & 0o7777).toString(8);
}

it('makes a directory for its owner alone, and shuts others out of one that is there', () => {
  const fresh = join(root, 'a', 'fresh');
  const open = join(root, 'open');
  mkdirSync(open);
  chmodSync(open, 0o2775);

  makePrivateDirectory(fresh);
  makePrivateDirectory(open);

  expect(modeOf(fresh)).toBe('700');
  expect(modeOf(open)).toBe('2700');
});

it('lets others pass through where it is asked to, and nothing more', () => {
  const open = join(root, 'open');
  mkdirSync(open);
  chmodSync(open, 0o755);

  makePrivateDirectory(join(root, 'fresh'), { isPassable: true });
  makePrivateDirectory(open, { isPassable: true });

  expect([modeOf(join(root, 'fresh')), modeOf(open)]).toEqual(['711', '711']);
});

it('takes from others what they may do with a file, and leaves its owner all', () => {
  const file = join(root, 'file');
  writeFileSync(file, '');
  chmodSync(file, 0o754);

  tightenMode(file);

  expect(modeOf(file)).toBe('700');
});
