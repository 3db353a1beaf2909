// Jest gives a test five seconds, which is to end one that hangs. Beside lint, builds or other suites an honest one can take that long.
jest.setTimeout(20_000);
