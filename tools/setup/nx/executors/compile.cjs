// Target build: `tsc -b` of all projects in the batch; the compiler itself finds the order and what is up to date.
const { join } = require('node:path');
const { createExecutor, reportEach } = require('./batch.cjs');
const { compile } = require('./compiler.cjs');

module.exports = createExecutor(async (tasks, { root, extra }) => {
  const faults = await compile(['-b', ...tasks.map((task) => task.root), ...extra], tasks, root);
  // A project whose dependency did not compile is not built, and may have no error of its own.
  const isBroken = [...faults.values()].some((lines) => lines.length > 0);
  if (!isBroken) await makeExportsPlain(tasks.map((task) => join(root, task.root, 'dist')));
  return reportEach(tasks, ({ id }) =>
    isBroken ? [...(faults.get(id) ?? []), ...faults.get(''), 'not built: the errors above are of this run'] : [],
  );
});

async function makeExportsPlain(folders) {
  const { writePlainExports } = await import('../../plain-exports.mjs');
  folders.forEach(writePlainExports);
}
