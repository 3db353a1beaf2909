// Takes the lock of a directory at the instant a file appears, says whether it has it, and waits to be killed.
//   node --conditions=@weir/source lock-at-signal.cjs DIRECTORY SIGNAL_FILE
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { transformSync } = require('@swc/core');

require.extensions['.ts'] = (module, filename) => {
  const options = { filename, jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } };
  module._compile(transformSync(readFileSync(filename, 'utf8'), options).code, filename);
};

const { lockDirectory } = require(join(__dirname, '..', 'lock-directory.ts'));
const [, , directory, signal] = process.argv;
process.stdout.write('ready\n');
const wait = () => {
  if (!existsSync(signal)) return setImmediate(wait);
  process.stdout.write(lockDirectory(directory) === undefined ? 'refused\n' : 'held\n');
  return setInterval(() => undefined, 1_000);
};
wait();
