#!/usr/bin/env node
// Runs the operator's tool; builds it first where that has not happened yet. Standard output is the tool's alone.
const { spawnSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const main = join(__dirname, '..', 'dist', 'main.js');
if (!existsSync(main)) {
  const prepare = join(__dirname, '..', '..', '..', 'tools', 'setup', 'prepare.mjs');
  const { status } = spawnSync(process.execPath, [prepare], { stdio: ['ignore', process.stderr, 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}
require(main);
