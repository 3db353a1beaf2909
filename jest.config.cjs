// Three suites in one configuration: unit (*.spec.ts), int (*.int.spec.ts, real parts) and e2e (*.e2e.spec.ts, the whole gateway).
const shared = {
  rootDir: __dirname,
  // One name for all three, so that what one suite has translated the next need not.
  id: __dirname.replace(/\W+/g, '-'),
  roots: ['<rootDir>/libs', '<rootDir>/apps', '<rootDir>/tools'],
  testEnvironment: 'node',
  // Libraries resolve to their sources, so that tests never run against a stale build.
  testEnvironmentOptions: { customExportConditions: ['@weir/source', 'node', 'require', 'default'] },
  // Lazily: what a suite imports and never uses, such as the rest of a library, is not loaded, which was a third of its time.
  transform: {
    '^.+\\.(ts|mjs)$|/node_modules/(openid-client|oauth4webapi|jose|hyparquet-writer|hyparquet)/.+\\.js$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs', lazy: true }, sourceMaps: 'inline' },
    ],
  },
  // Published as ES modules only, which Node can require and Jest cannot.
  transformIgnorePatterns: ['/node_modules/(?!(hucre|openid-client|oauth4webapi|jose|hyparquet-writer|hyparquet)/)'],
  moduleNameMapper: { '^fast-check$': '<rootDir>/tools/setup/property-cases.cjs' },
  modulePathIgnorePatterns: ['<rootDir>/.*/dist/'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
};

module.exports = {
  testSequencer: '<rootDir>/tools/setup/long-first.cjs',
  globalSetup: '<rootDir>/tools/setup/make-test-folder.cjs',
  globalTeardown: '<rootDir>/tools/setup/remove-test-folder.cjs',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['**/*.spec.ts'],
      testPathIgnorePatterns: [...shared.testPathIgnorePatterns, '\\.(int|e2e)\\.spec\\.ts$'],
      setupFilesAfterEnv: ['<rootDir>/tools/setup/patient-tests.cjs'],
    },
    { ...shared, displayName: 'int', testMatch: ['**/*.int.spec.ts'], setupFilesAfterEnv: ['<rootDir>/tools/setup/long-tests.cjs'] },
    { ...shared, displayName: 'e2e', testMatch: ['**/*.e2e.spec.ts'], setupFilesAfterEnv: ['<rootDir>/tools/setup/long-tests.cjs'] },
  ],
};
