// After the last suite: what tests wrote goes, also where they failed half-way.
const { rmSync } = require('node:fs');

module.exports = function removeTestFolder() {
  rmSync(process.env.TEST_FOLDER, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
};
