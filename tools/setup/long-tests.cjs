const { url } = require('node:inspector');

// Suites with real parts start processes of their own; on a busy machine that takes more than jest's five seconds. With a debugger
// attached they wait for as long as someone looks.
jest.setTimeout(url() === undefined ? 90_000 : 3_600_000);
