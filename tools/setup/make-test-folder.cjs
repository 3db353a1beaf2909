// Before the first suite: one folder for all that tests write (makeTestFolder of libs/testing).
const { chmodSync, mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

module.exports = function makeTestFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'weir-tests-'));
  chmodSync(folder, 0o755);
  process.env.TEST_FOLDER = folder;
};
