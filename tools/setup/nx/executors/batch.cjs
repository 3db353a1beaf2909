// What the executors share: Nx gives one process all tasks of a target that the cache did not have; one run of the tool does them
// together, and each task gets its own result.
const { spawn } = require('node:child_process');

/** Makes the two functions that Nx calls, of one that does a batch: `work(tasks, context)` returns or throws for all of them. */
function createExecutor(work) {
  return {
    async runBatch(...[graph, options, overrides, context]) {
      const tasks = Object.values(graph.tasks).map(({ id, target }) => toTask({ id, name: target.project, options: options[id] }, context));
      const results = await work(tasks, { root: context.root, extra: overrides.__overrides_unparsed__ ?? [] });
      return Object.fromEntries(tasks.map(({ id }) => [id, results.get(id)]));
    },
    /** With `--batch=false`: a batch of one. */
    async runOne(options, context) {
      const id = `${context.projectName}:${context.targetName}`;
      const results = await work([toTask({ id, name: context.projectName, options }, context)], {
        root: context.root,
        extra: options.__unparsed__ ?? [],
      });
      return { success: results.get(id).success };
    },
  };
}

function toTask(task, { projectsConfigurations }) {
  return { ...task, root: projectsConfigurations.projects[task.name].root };
}

/**
 * Gives each task its result: the problems that `problemsOf` finds for it. They are printed here, each once, because Nx prints nothing
 * of a batch but what the batch itself has printed; `isPrinted` says that the tool has done it.
 */
function reportEach(tasks, problemsOf, { isPrinted = false } = {}) {
  const results = tasks.map((task) => ({ task, problems: problemsOf(task) }));
  const distinct = new Set(results.flatMap(({ problems }) => problems));
  if (!isPrinted && distinct.size > 0) process.stderr.write(`${[...distinct].join('\n')}\n`);
  return new Map(results.map(({ task, problems }) => [task.id, { success: problems.length === 0, terminalOutput: problems.join('\n') }]));
}

/** Runs a program to its end, without what Nx says to its own children; resolves to its exit code and output. */
function run(program, args, { cwd, env = {}, stdio = ['ignore', 'pipe', 'pipe'] }) {
  const child = spawn(program, args, { cwd, stdio, env: { ...withoutNx(process.env), ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, output }));
  });
}

function withoutNx(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(NX_|FORCE_COLOR$|LERNA_)/.test(name)));
}

module.exports = { createExecutor, reportEach, run };
