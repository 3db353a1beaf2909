// Target lint: one run of ESLint and one of Prettier over the folders of all projects in the batch.
const { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } = require('node:fs');
const { join, relative } = require('node:path');
const { createExecutor, reportEach, run } = require('./batch.cjs');

const NOT_OURS = new Set(['node_modules', 'dist', 'coverage', '.git', '.nx', '.weir', '.tmp']);
const KINDS = ['apps', 'libs', 'tools'];

module.exports = createExecutor(async (tasks, { root, extra }) => {
  const folders = tasks.flatMap((task) => (task.root === '.' ? listOutsideProjects(root) : [task.root]));
  const [found, layout] = [await lint(folders, root, extra), await checkLayout(folders, root)];
  const problems = [...found, ...layout];
  return reportEach(tasks, (task) =>
    problems.filter(({ path }) => path === '' || findOwner(path, tasks)?.id === task.id).map(({ text }) => text),
  );
});

/** What the project at the root stands for: everything that is in no other. */
function listOutsideProjects(root) {
  const atRoot = readdirSync(root).filter((name) => !NOT_OURS.has(name) && !KINDS.includes(name));
  const below = KINDS.flatMap((kind) => readdirSync(join(root, kind)).map((name) => `${kind}/${name}`));
  return [...atRoot, ...below.filter((folder) => !existsSync(join(root, folder, 'package.json')))];
}

async function lint(folders, root, extra) {
  const report = join(root, '.tmp', `lint-${process.pid}.json`);
  mkdirSync(join(root, '.tmp'), { recursive: true });
  const eslint = join(root, 'node_modules', 'eslint', 'bin', 'eslint.js');
  const args = [eslint, ...folders, '--no-error-on-unmatched-pattern', '--format', 'json', '--output-file', report, ...extra];
  const { status, output } = await run(process.execPath, args, { cwd: root });
  if (status === 0) {
    rmSync(report, { force: true });
    return [];
  }
  if (!existsSync(report)) return [{ path: '', text: `ESLint ended with ${status}:\n${output}` }];
  const files = JSON.parse(readFileSync(report, 'utf8'));
  rmSync(report);
  const problems = files.flatMap(({ filePath, messages }) =>
    messages
      .filter(({ severity }) => severity === 2)
      .map(({ line = 0, column = 0, message, ruleId }) => {
        const path = relative(root, filePath).replaceAll('\\', '/');
        return { path, text: `${path}:${line}:${column}: ${message} (${ruleId ?? 'syntax'})` };
      }),
  );
  return problems.length > 0 ? problems : [{ path: '', text: `ESLint ended with ${status}:\n${output}` }];
}

async function checkLayout(folders, root) {
  const prettier = join(root, 'node_modules', 'prettier', 'bin', 'prettier.cjs');
  const args = [prettier, '--list-different', '--ignore-unknown', '--no-error-on-unmatched-pattern', ...folders];
  const { status, output } = await run(process.execPath, args, { cwd: root });
  if (status === 0) return [];
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) =>
      existsSync(join(root, line))
        ? { path: line.replaceAll('\\', '/'), text: `${line}: not laid out by Prettier; run npm run format` }
        : { path: '', text: line },
    );
}

function findOwner(path, tasks) {
  return tasks.find(({ root }) => path.startsWith(`${root}/`)) ?? tasks.find(({ root }) => root === '.');
}
