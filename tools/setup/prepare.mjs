// Makes a fresh checkout ready to run: dependencies, generated database client, build. Plain Node, because nothing is
// installed yet when it first runs; each step is skipped when nothing it depends on has changed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeAllPlainExports } from './plain-exports.mjs';
import { showProgress } from './show-progress.mjs';

const ROOT = join(fileURLToPath(import.meta.url), '..', '..', '..');
const SCHEMA = join('libs', 'database', 'prisma', 'schema');
const STAMPS = join(ROOT, 'node_modules', '.weir');
const QUIETLY = ['--no-audit', '--no-fund', '--loglevel=error'];
/** Whatever `npm start` runs, and the command beside it, depends on is built with them. */
const STARTED = [join('apps', 'standalone'), join('apps', 'operator')];
const NOT_SOURCES = new Set(['node_modules', 'dist', 'generated']);

checkNode();
const lockFile = hashFiles(['package-lock.json']);
// A checkout that is developed in stays one.
if (process.argv.includes('--start') && !existsSync(join(STAMPS, 'install'))) await prepareStart();
else await prepareAll();

/** What tests, lint and everything else need. */
async function prepareAll() {
  const isStarted = isDone('install-start', lockFile);
  await step('install', {
    title: isStarted ? 'Installing what development needs beside' : 'Installing dependencies (about a minute the first time)',
    inputs: lockFile,
    // Adds to what is there, as the lock file has it, and changes neither that nor the manifests.
    action: () => run(npm(), [...(isStarted ? ['install', '--no-save'] : ['ci']), ...QUIETLY]),
  });
  if (process.argv.includes('--no-build')) {
    await step('generate', {
      title: 'Generating the database client',
      inputs: hashFiles([...readdirSync(join(ROOT, SCHEMA)).map((name) => join(SCHEMA, name)), 'package-lock.json']),
      action: () => runNx(['run', '@weir/database:generate']),
    });
  } else {
    await step('build', { title: 'Building', inputs: hashSources(), action: () => runNx(['run-many', '--targets', 'build']) });
  }
}

/** What `npm start` needs and nothing else: half of the packages, none of the clients that tests drive the gateway with, and no checks of types. */
async function prepareStart() {
  await step('install-start', {
    title: 'Installing dependencies (half a minute the first time)',
    inputs: lockFile,
    action: () => run(npm(), ['ci', '--omit=dev', ...QUIETLY]),
  });
  await step('build-start', { title: 'Building', inputs: hashSources(), action: () => buildStarted() });
}

/** The gateway and the operator's tool beside the console: each takes one core. */
async function buildStarted() {
  const node = (...args) => run(process.execPath, args);
  const buildServices = async () => {
    await node(join('libs', 'database', 'generate-client.mjs'));
    await node(join('tools', 'setup', 'compile.mjs'), '-b', ...STARTED, '--noCheck');
    writeAllPlainExports(ROOT);
  };
  await Promise.all([
    buildServices(),
    node(join('node_modules', 'vite', 'bin', 'vite.js'), 'build', join('apps', 'console'), '--logLevel', 'warn'),
  ]);
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Weir needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Runs `action` unless the step's last successful run had the same inputs. */
async function step(name, { title, inputs, action }) {
  if (isDone(name, inputs)) return;
  const progress = showProgress(`weir: ${title} …`, process.stdout);
  try {
    await action();
  } catch (error) {
    progress.end();
    console.error(error.message);
    process.exit(1);
  }
  mkdirSync(STAMPS, { recursive: true });
  writeFileSync(join(STAMPS, name), inputs);
  process.stdout.write(`weir: done in ${progress.end()} s\n`);
}

function isDone(name, inputs) {
  const stamp = join(STAMPS, name);
  const isInstalled = existsSync(join(ROOT, 'node_modules', '.package-lock.json'));
  return isInstalled && existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs && isBuilt(name);
}

/** The outputs may have been removed since. */
function isBuilt(name) {
  if (name === 'generate') return existsSync(join(ROOT, 'libs', 'database', 'src', 'generated'));
  if (name.startsWith('build')) return existsSync(join(ROOT, 'apps', 'standalone', 'dist', 'main.js')) && isBuilt('generate');
  return true;
}

/** Nx decides what to build, generates the database client before, and takes from its cache what was built before. */
function runNx(args) {
  return run(process.execPath, [join('tools', 'setup', 'run-nx.mjs'), ...args]);
}

/** The output is shown where the command failed: a start that goes well says one line a step. */
function run(command, args) {
  const stdio = ['ignore', 'pipe', 'pipe'];
  const child = spawn(command, args, { cwd: ROOT, stdio, shell: process.platform === 'win32' && command === npm() });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  return new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(`${output}weir: "${command} ${args.join(' ')}" failed${why}.`));
    child.once('error', (error) => fail(` (${error.message})`));
    child.once('close', (code) => (code === 0 ? resolve() : fail('')));
  });
}

function npm() {
  return process.platform === 'win32' ? 'npm.cmd' : 'npm';
}

function hashFiles(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path)) : '');
  return hash.digest('hex');
}

/** Size and time of every source file: a tenth of a second, where Nx takes one or two to find that there is nothing to do. */
function hashSources() {
  const hash = createHash('sha256');
  for (const kind of ['libs', 'apps', 'tools']) walk(join(ROOT, kind), hash);
  return hash.update(hashFiles(['tsconfig.base.json', 'nx.json', 'package-lock.json'])).digest('hex');
}

function walk(folder, hash) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (NOT_SOURCES.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) walk(path, hash);
    else if (/\.(tsx?|json|prisma|[mc]?js|css|html|svg)$/.test(entry.name)) {
      const { size, mtimeMs } = statSync(path);
      hash.update(`${path}:${size}:${mtimeMs}\n`);
    }
  }
}
