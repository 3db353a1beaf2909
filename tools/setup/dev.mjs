// `npm run dev`: the gateway, in one process unless PROCESSES says otherwise, built and started again after every change of a source. Its Postgres belongs to this
// process and goes on running, on the data of `npm start`. Ctrl-C ends everything.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findCompiler } from './compile.mjs';
import { watchAndRestart } from './watch-and-restart.mjs';

const ROOT = join(fileURLToPath(import.meta.url), '..', '..', '..');
const DATA_DIR = process.env.DATA_DIR ?? join(ROOT, '.weir');
/** Served by Vite while it is worked on (apps/console/README.md). */
const CONSOLE = join(ROOT, 'apps', 'console');
const READY = /ready at http/;
/** Running requests get this long when a new build is ready. */
const DRAIN_TIMEOUT_MS = '1000';

const postgres = process.env.DATABASE_URL === undefined ? await startPostgres() : undefined;
const loop = await watchAndRestart({
  folders: [join(ROOT, 'libs'), join(ROOT, 'apps')],
  isSource: (path) => /\.(ts|json)$/.test(path) && !/\.spec\.ts$/.test(path) && !path.startsWith(CONSOLE),
  build,
  start,
  log,
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void end());

async function end() {
  await loop.stop();
  await postgres?.stop();
  process.exit(0);
}

/** The gateway finds it by its data directory and adopts it. */
function startPostgres() {
  const { startEmbeddedPostgres } = createRequire(import.meta.url)(join(ROOT, 'libs', 'embedded-postgres', 'dist', 'index.js'));
  return startEmbeddedPostgres({ directory: join(DATA_DIR, 'postgres'), log });
}

/** The compiler builds what has changed, and what that changes; errors go to the terminal. */
function build() {
  const [program, ...before] = findCompiler();
  const child = spawn(program, [...before, '-b', join('apps', 'standalone'), '--pretty'], { cwd: ROOT, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve(status === 0));
  });
}

/** Resolves when the gateway serves. */
async function start() {
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=64', '--enable-source-maps', join('apps', 'standalone', 'dist', 'main.js')],
    {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
      // As under `npm start`, the gateway ends with the process that started it. One process is there again soonest after a change.
      env: { DRAIN_TIMEOUT_MS, PROCESSES: '1', ...process.env, DATA_DIR, npm_lifecycle_event: 'start' },
    },
  );
  const ended = new Promise((resolve) => child.once('close', resolve));
  const isReady = new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      process.stdout.write(`${line}\n`);
      if (READY.test(line)) resolve();
    });
    void ended.then((code) => reject(new Error(`the gateway ended with ${code}`)));
  });
  await isReady;
  let isAsked = false;
  void ended.then((code) => isAsked || log(`the gateway ended with ${code}: waiting for a change`));
  return {
    stop: () => {
      isAsked = true;
      child.kill('SIGTERM');
      return ended;
    },
  };
}

function log(message) {
  process.stdout.write(`weir dev: ${message}\n`);
}
