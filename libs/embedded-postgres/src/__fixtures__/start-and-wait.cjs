// Runs startEmbeddedPostgres from its sources in a process of its own, says what came of it, and waits to be killed.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { transformSync } = require('@swc/core');

require.extensions['.ts'] = (module, filename) => {
  const options = { filename, jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } };
  module._compile(transformSync(readFileSync(filename, 'utf8'), options).code, filename);
};

const { startEmbeddedPostgres } = require(join(__dirname, '..', 'start-embedded-postgres.ts'));
startEmbeddedPostgres({ directory: process.argv[2], settings: { fsync: 'off' } }).then((server) => {
  process.stdout.write(`${JSON.stringify({ url: server.url, pid: server.pid })}\n`);
  setInterval(() => undefined, 1_000);
});
