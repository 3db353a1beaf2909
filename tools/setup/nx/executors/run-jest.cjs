// Targets test, int and e2e: one run of Jest for the suite's files of all projects in the batch. Every project gets a report of its
// counts, which the cache keeps: a suite's sum is the same whether its tests ran or were read from the cache.
const { mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join, relative } = require('node:path');
const { createExecutor, reportEach, run } = require('./batch.cjs');

/**
 * For processes that live for seconds: capacity for what is young, as `npm start` has it; and of WebAssembly, which is Prisma's, the
 * first and quick translation alone, also in services under test (apps/gateway-e2e). The better one costs each process more than
 * it earns back, a quarter of all that specs with a database compute.
 */
const ENGINE_FLAGS = ['--max-semi-space-size=64', '--liftoff-only'];

module.exports = createExecutor(async (tasks, { root, extra }) => {
  const [{ options }] = tasks;
  const reports = join(root, '.tmp', 'test-reports', options.suite);
  mkdirSync(reports, { recursive: true });
  const files = await runJest(tasks, { root, extra, ...options });
  return reportEach(tasks, problemsOf, { isPrinted: files !== undefined });

  function problemsOf(task) {
    if (files === undefined) return [`the ${options.suite} suite left no report: it did not run`];
    const own = files.filter(({ name }) => relative(root, name).replaceAll('\\', '/').startsWith(`${task.root}/`));
    writeFileSync(join(reports, `${task.root.replaceAll('/', '-')}.json`), JSON.stringify(count(own)));
    return own.filter(({ status }) => status === 'failed').map(({ name, message }) => `${relative(root, name)}\n${message}`);
  }
});

/** Jest's results by file, or undefined when it made none. */
async function runJest(tasks, { root, extra, suite, workers }) {
  const output = join(root, '.tmp', 'test-reports', `${suite}-${process.pid}.json`);
  const args = [
    ...ENGINE_FLAGS,
    join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    ...['--selectProjects', suite, '--ci', '--forceExit', '--passWithNoTests', `--maxWorkers=${workers}`],
    ...['--json', `--outputFile=${output}`, ...extra],
    ...['--testPathPatterns', `/(${tasks.map((task) => task.root).join('|')})/`],
  ];
  // What it prints on standard output is the report once more.
  await run(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    return JSON.parse(readFileSync(output, 'utf8')).testResults;
  } catch {
    return undefined;
  } finally {
    rmSync(output, { force: true });
  }
}

function count(files) {
  const tests = files.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  const broken = files.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  return {
    retried: files.flatMap(({ assertionResults }) => assertionResults).filter(({ invocations = 1 }) => invocations > 1).length,
    passed: tests.filter((status) => status === 'passed').length,
    failed: tests.filter((status) => status === 'failed').length + broken.length,
    skipped: tests.filter((status) => ['pending', 'skipped', 'todo', 'disabled'].includes(status)).length,
  };
}
