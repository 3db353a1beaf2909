import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './run-process';

const NAME = 'weir-gateway';

export type InstalledPackage = {
  /** Where it was installed: nothing of the checkout is in or above it. */
  readonly folder: string;
  /** The program of one of its commands, as the shell finds it. */
  scriptOf(command: 'weir-gateway' | 'weir'): string;
};

/**
 * Packs the gateway and installs it as people do, `npm install --global`, into a prefix that is empty: what is native comes from npm's
 * cache or registry. No package may run a script of its own. The folder begins with a dot, as those of version managers do.
 */
export function installPackage(folder: string): InstalledPackage {
  const pack = join(ROOT, 'tools', 'setup', 'pack-standalone.mjs');
  const tarball = execFileSync(process.execPath, [pack, join(folder, 'packed')], { encoding: 'utf8' }).trim();
  const prefix = join(folder, '.versions', 'node');
  const quietly = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline', '--ignore-scripts'];
  execFileSync('npm', ['install', '--global', '--prefix', prefix, ...quietly, tarball], { encoding: 'utf8', cwd: folder, stdio: 'pipe' });
  const installed = join(prefix, 'lib', 'node_modules', NAME);
  return { folder: prefix, scriptOf: (command) => join(installed, 'bin', `${command}.js`) };
}
