const { url } = require('node:inspector');
const { sep } = require('node:path');

// Suites with real parts start processes of their own; on a busy machine that takes more than jest's five seconds. With a debugger
// attached they wait for as long as someone looks.
jest.setTimeout(url() === undefined ? 90_000 : 3_600_000);

// On a machine with more to do than it can, a browser now and then loses a click or a key. What failed in one is tried once more; the
// first failure is printed, and the last line of the run counts it. At once, since the last test of a file may close what all of it use.
if (expect.getState().testPath.includes(`${sep}specs${sep}console${sep}`))
  jest.retryTimes(1, { logErrorsBeforeRetry: true, retryImmediately: true });
