// Runs the compiler and sorts what it reports by project.
const { run } = require('./batch.cjs');

const FAULT = /^([^\s(][^(\n]*)\(\d+,\d+\): error /;

/** The errors by task, and under `''` those in no task's files: of configuration, or of a project that is not asked for. */
async function compile(args, tasks, root) {
  const { findCompiler } = await import('../../compile.mjs');
  const [program, ...before] = findCompiler();
  const { status, output } = await run(program, [...before, ...args, '--pretty', 'false'], { cwd: root });
  const faults = new Map([['', []]]);
  let owner = '';
  for (const line of output.split('\n').filter((text) => text.trim() !== '')) {
    // Further lines of an error are indented and belong to the one before.
    if (!line.startsWith(' ')) owner = findOwner(line, tasks);
    faults.set(owner, [...(faults.get(owner) ?? []), line]);
  }
  if (status !== 0 && output.trim() === '') faults.get('').push(`the compiler ended with ${status} and reported nothing`);
  return status === 0 ? new Map([['', []]]) : faults;
}

function findOwner(line, tasks) {
  const path = FAULT.exec(line)?.[1]?.replaceAll('\\', '/');
  return tasks.find(({ root }) => path?.startsWith(`${root}/`))?.id ?? '';
}

module.exports = { compile };
