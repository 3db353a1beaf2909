import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './run-process';

const NAME = 'weir-gateway';
type Lock = { readonly packages: Readonly<Record<string, { readonly inBundle?: boolean }>> };

export type InstalledPackage = {
  /** Where it was installed: nothing of the checkout is in or above it. */
  readonly folder: string;
  /** The script of one of its commands. */
  scriptOf(command: 'weir-gateway' | 'weir'): string;
};

/**
 * Packs the gateway and puts the package where `npm install` would, in a folder of its own. What its lock file names is linked from
 * the checkout instead of fetched, and nothing else.
 */
export function installPackage(folder: string): InstalledPackage {
  const pack = join(ROOT, 'tools', 'setup', 'pack-standalone.mjs');
  const tarball = execFileSync(process.execPath, [pack, join(folder, 'packed')], { encoding: 'utf8' }).trim();
  const clean = join(folder, 'clean');
  const home = join(clean, 'node_modules', NAME);
  mkdirSync(home, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', home, '--strip-components', '1']);
  const { packages } = JSON.parse(readFileSync(join(home, 'npm-shrinkwrap.json'), 'utf8')) as Lock;
  for (const [path, { inBundle }] of Object.entries(packages)) {
    if (path === '' || inBundle === true || path.lastIndexOf('node_modules/') !== 0 || !existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(clean, path)), { recursive: true });
    symlinkSync(join(ROOT, path), join(clean, path));
  }
  return { folder: clean, scriptOf: (command) => join(home, 'bin', `${command}.cjs`) };
}
