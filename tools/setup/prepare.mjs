// Makes a fresh checkout ready to run: dependencies, generated database client, build. Plain Node, because nothing is
// installed yet when it first runs; each step is skipped when nothing it depends on has changed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findCompiler } from './compile.mjs';

const ROOT = join(fileURLToPath(import.meta.url), '..', '..', '..');
const SCHEMA = join('libs', 'database', 'prisma', 'schema');
const STAMPS = join(ROOT, 'node_modules', '.weir');

checkNode();
step('install', {
  title: 'Installing dependencies (about a minute the first time)',
  inputs: hashFiles(['package-lock.json']),
  action: () => run(npm(), ['ci', '--no-audit', '--no-fund', '--loglevel=error']),
});
step('generate', {
  title: 'Generating the database client',
  inputs: hashFiles([...readdirSync(join(ROOT, SCHEMA)).map((name) => join(SCHEMA, name)), 'package-lock.json']),
  action: () => run(process.execPath, [join('libs', 'database', 'generate-client.mjs')]),
});
if (!process.argv.includes('--no-build')) {
  step('build', {
    title: 'Building',
    inputs: hashSources(),
    action: () => {
      const [program, ...before] = findCompiler();
      run(program, [...before, '-b', 'tsconfig.json']);
    },
  });
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Weir needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Runs `action` unless the step's last successful run had the same inputs. */
function step(name, { title, inputs, action }) {
  const stamp = join(STAMPS, name);
  const isInstalled = existsSync(join(ROOT, 'node_modules', '.package-lock.json'));
  if (isInstalled && existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs && isBuilt(name)) return;
  process.stdout.write(`weir: ${title} …\n`);
  const startedAt = Date.now();
  action();
  mkdirSync(STAMPS, { recursive: true });
  writeFileSync(stamp, inputs);
  process.stdout.write(`weir: done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`);
}

/** The outputs may have been removed since. */
function isBuilt(name) {
  if (name === 'generate') return existsSync(join(ROOT, 'libs', 'database', 'src', 'generated'));
  if (name === 'build') return existsSync(join(ROOT, 'apps', 'standalone', 'dist', 'main.js'));
  return true;
}

function run(command, args) {
  const result = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32' && command === npm() });
  if (result.status === 0) return;
  console.error(`weir: "${command} ${args.join(' ')}" failed${result.error ? ` (${result.error.message})` : ''}.`);
  process.exit(result.status ?? 1);
}

function npm() {
  return process.platform === 'win32' ? 'npm.cmd' : 'npm';
}

function hashFiles(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path)) : '');
  return hash.digest('hex');
}

/** Size and time of every source file: cheaper than reading them, and tsc decides for itself what to rebuild. */
function hashSources() {
  const hash = createHash('sha256');
  for (const kind of ['libs', 'apps', 'tools']) walk(join(ROOT, kind), hash);
  return hash.update(readFileSync(join(ROOT, 'tsconfig.base.json'))).digest('hex');
}

function walk(folder, hash) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) walk(path, hash);
    else if (/\.(ts|json)$/.test(entry.name)) {
      const { size, mtimeMs } = statSync(path);
      hash.update(`${path}:${size}:${mtimeMs}\n`);
    }
  }
}
