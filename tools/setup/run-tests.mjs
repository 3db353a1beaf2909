// Runs every suite and closes with one line of counts. Some files of a suite run at a time: each has its own ports, folders and
// databases. Unit tests of a project that nothing has changed for are counted from Nx's cache; `--skip-nx-cache` runs them all.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNx } from './run-nx.mjs';

const REPORTS = join(fileURLToPath(import.meta.url), '..', '..', '..', '.tmp', 'test-reports');
/** The names that Nx and Jest have for them. */
const SUITES = { test: 'unit', int: 'int', e2e: 'e2e' };

const totals = { passed: 0, failed: 0, skipped: 0, retried: 0 };
let isBroken = false;
for (const [target, suite] of Object.entries(SUITES)) {
  rmSync(join(REPORTS, suite), { recursive: true, force: true });
  // What they depend on, `npm test` has built before.
  const status = runNx(['run-many', '--targets', target, '--excludeTaskDependencies', '--nxBail=false', ...process.argv.slice(2)]);
  const counts = addReports(suite);
  isBroken = status !== 0 || counts.passed + counts.failed + counts.skipped === 0 || isBroken;
  for (const kind of Object.keys(totals)) totals[kind] += counts[kind];
  console.log(`${suite}: ${describeCounts(counts)}`);
}
console.log(describeCounts(totals));
process.exit(isBroken || totals.failed > 0 ? 1 : 0);

/** Tests that failed once and passed the second time are among those that passed, or failed, and counted apart as well. */
function describeCounts({ passed, failed, skipped, retried }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped${retried === 0 ? '' : `, ${retried} of them tried twice`}`;
}

/** The sum of what the projects of a suite report. */
function addReports(suite) {
  const sum = { passed: 0, failed: 0, skipped: 0, retried: 0 };
  const folder = join(REPORTS, suite);
  if (!existsSync(folder)) {
    console.error(`the ${suite} suite left no report: it did not run`);
    return { ...sum, failed: 1 };
  }
  for (const name of readdirSync(folder)) {
    const report = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    for (const kind of Object.keys(sum)) sum[kind] += report[kind] ?? 0;
  }
  return sum;
}
