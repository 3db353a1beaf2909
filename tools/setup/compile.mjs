// Runs the TypeScript compiler, `node tools/setup/compile.mjs -b tsconfig.json`: the native one, which takes a third of the time,
// where npm has a build of it for this machine, and otherwise the one in JavaScript, which lint and the generators use anyway.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = join(fileURLToPath(import.meta.url), '..', '..', '..', 'node_modules');

/** The program, and what it is given before the compiler's own arguments. */
export function findCompiler() {
  const { platform, arch, execPath } = process;
  const native = join(PACKAGES, '@typescript', `typescript-${platform}-${arch}`, 'lib', platform === 'win32' ? 'tsc.exe' : 'tsc');
  return existsSync(native) ? [native] : [execPath, join(PACKAGES, 'typescript', 'bin', 'tsc')];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [program, ...before] = findCompiler();
  const { status, error } = spawnSync(program, [...before, ...process.argv.slice(2)], { stdio: 'inherit' });
  if (error) console.error(`weir: the compiler could not be run: ${error.message}`);
  process.exitCode = status ?? 1;
}
