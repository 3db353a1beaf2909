// Runs every suite and closes with one line of counts. Some files of a suite run at a time: each has its own ports, folders and
// databases.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(fileURLToPath(import.meta.url), '..', '..', '..');
const REPORTS = join(ROOT, '.tmp', 'test-reports');
/** How many files of each run at a time on two cores: of those with real parts one is always waiting for them, while houses need theirs. */
const SUITES = { unit: 2, int: 3, e2e: 2 };
/**
 * For processes that live for seconds: room for what is young, as `npm start` has it; and of WebAssembly, which is Prisma's, the
 * first and quick translation alone, also in services under test (apps/gateway-e2e). The better one costs each process more than
 * it earns back, a quarter of all that specs with a database compute.
 */
const ENGINE_FLAGS = ['--max-semi-space-size=64', '--liftoff-only'];

mkdirSync(REPORTS, { recursive: true });
const totals = { passed: 0, failed: 0, skipped: 0 };
let isBroken = false;
for (const [suite, workers] of Object.entries(SUITES)) {
  const report = join(REPORTS, `${suite}.json`);
  rmSync(report, { force: true });
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = [
    ...ENGINE_FLAGS,
    jest,
    '--selectProjects',
    suite,
    '--ci',
    '--forceExit',
    `--maxWorkers=${workers}`,
    '--json',
    `--outputFile=${report}`,
    ...process.argv.slice(2),
  ];
  const result = spawnSync(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  isBroken = addReport(report, suite) || result.status !== 0 || isBroken;
}
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exit(isBroken || totals.failed > 0 ? 1 : 0);

/** Adds a suite's counts; answers whether the suite itself could not be run. */
function addReport(path, name) {
  let report;
  try {
    report = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    console.error(`the ${name} suite left no report: it did not run`);
    totals.failed += 1;
    return true;
  }
  totals.passed += report.numPassedTests;
  totals.failed += report.numFailedTests + report.numRuntimeErrorTestSuites;
  totals.skipped += report.numPendingTests;
  console.log(`${name}: ${report.numPassedTests} passed, ${report.numFailedTests} failed, ${report.numPendingTests} skipped`);
  return report.numTotalTests === 0;
}
