// Suites with real parts start processes of their own; on a busy machine that takes more than jest's five seconds.
jest.setTimeout(90_000);
