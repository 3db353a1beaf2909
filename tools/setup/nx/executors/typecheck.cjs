// Target typecheck: the sources and specs of all projects in the batch as one program, read from sources.
const { mkdirSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { createExecutor, reportEach } = require('./batch.cjs');
const { compile } = require('./compiler.cjs');

module.exports = createExecutor(async (tasks, { root, extra }) => {
  mkdirSync(join(root, '.tmp'), { recursive: true });
  const config = join('.tmp', `tsconfig.typecheck-${process.pid}.json`);
  // What declares a module is found by being included, also when its project's own result is in the cache.
  const declarations = ['apps', 'libs', 'tools'].map((folder) => `../${folder}/*/src/**/*.d.ts`);
  const include = [...tasks.map((task) => `../${task.root}/src/**/*.ts`), ...declarations];
  writeFileSync(join(root, config), JSON.stringify({ extends: '../tsconfig.spec.json', include }));
  try {
    const faults = await compile(['-p', config, ...extra], tasks, root);
    return reportEach(tasks, ({ id }) => [...(faults.get(id) ?? []), ...faults.get('')]);
  } finally {
    rmSync(join(root, config), { force: true });
  }
});
