// Runs Nx, `node tools/setup/run-nx.mjs run-many -t build`, with nothing but its local cache: no background process, no service,
// no settings from .env files, and one line of output per run instead of one per project where everything went well.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(fileURLToPath(import.meta.url), '..', '..', '..');
const QUIET = { NX_DAEMON: 'false', NX_TUI: 'false', NX_NO_CLOUD: 'true', NX_LOAD_DOT_ENV_FILES: 'false', NX_INTERACTIVE: 'false' };

/** The exit code. */
export function runNx(args, { env = {}, stdio = 'inherit' } = {}) {
  const nx = createRequire(join(ROOT, 'package.json')).resolve('nx/bin/nx.js');
  const { status, error } = spawnSync(process.execPath, [nx, ...args], { cwd: ROOT, stdio, env: { ...process.env, ...QUIET, ...env } });
  if (error) console.error(`weir: Nx could not be run: ${error.message}`);
  return status ?? 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = runNx(process.argv.slice(2));
