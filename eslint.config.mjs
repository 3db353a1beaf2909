// The boundaries of the repository, as lint rules. What the words mean is in docs/glossary.md; what a rule forbids is here.
import { join } from 'node:path';
import eslint from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';

// The boundary rule reads a cached project graph and silently passes everything when there is none. It gets one of its own, without
// what only specs import (tools/setup/nx/plugin.cjs). Nx reads these settings when it is loaded, so it is loaded after them.
process.env.NX_DAEMON = 'false';
process.env.NX_WORKSPACE_DATA_DIRECTORY = join(import.meta.dirname, '.nx', 'graph-of-production');
process.env.NX_GRAPH_OF_PRODUCTION = 'true';
const { createProjectGraphAsync } = await import('@nx/devkit');
const { default: nx } = await import('@nx/eslint-plugin');
await createProjectGraphAsync({ exitOnError: false });

const SPECS = ['**/*.spec.ts', '**/*.conformance.ts', '**/__fixtures__/**/*.ts'];
const TEST_SIDE = [...SPECS, 'libs/testing/**', 'apps/gateway-e2e/**', 'tools/**'];

/** Who may depend on whom. A row without a right side is a project anybody may be used by. */
const MAY_DEPEND_ON = {
  'type:contract': ['type:contract'],
  'type:domain': ['type:domain', 'type:contract'],
  'type:platform': ['type:platform', 'type:contract'],
  'type:adapter': ['type:domain', 'type:platform', 'type:contract'],
  // What workers have in common: the life of one request, over the adapters that it needs.
  'type:worker': ['type:adapter', 'type:domain', 'type:platform', 'type:contract'],
  'type:app': ['type:worker', 'type:adapter', 'type:domain', 'type:platform', 'type:contract'],
  'type:standalone': ['type:standalone', 'type:app', 'type:worker', 'type:adapter', 'type:domain', 'type:platform', 'type:contract'],
  // The real parts of integration tests are started by tools (Kafka from its Maven coordinates).
  'type:testing': ['type:tool', 'type:adapter', 'type:domain', 'type:platform', 'type:contract'],
  'type:e2e': ['type:testing', 'type:contract'],
  'type:tool': ['*'],
  'scope:gateway': ['scope:gateway', 'scope:shared'],
  'scope:management': ['scope:management', 'scope:shared'],
  'scope:metering': ['scope:metering', 'scope:shared'],
  'scope:testing': ['*'],
};

const FOREIGN_TO_PURE = [
  'express',
  'kafkajs',
  'ioredis',
  '@prisma/*',
  'pg',
  'pg-copy-streams',
  'undici',
  'pino',
  'multer',
  'prom-client',
  '@clickhouse/*',
];
const PURE_TYPES = ['type:contract', 'type:domain'];
// The standalone app is shared too, and alone may join the scopes.
const SHARED_TYPES = ['type:contract', 'type:domain', 'type:platform', 'type:adapter'];

const depConstraints = [
  ...Object.entries(MAY_DEPEND_ON).map(([sourceTag, onlyDependOnLibsWithTags]) => ({
    sourceTag,
    onlyDependOnLibsWithTags,
    ...(PURE_TYPES.includes(sourceTag) ? { bannedExternalImports: FOREIGN_TO_PURE } : {}),
  })),
  ...SHARED_TYPES.map((type) => ({ allSourceTags: ['scope:shared', type], onlyDependOnLibsWithTags: ['scope:shared'] })),
  // Follows the whole tree of dependencies: a hot worker cannot reach Postgres by a detour either.
  { sourceTag: 'path:hot', notDependOnLibsWithTags: ['store:postgres'] },
];

/** Packages with one owner, and the folders that own them. */
const RESERVED = [
  { packages: ['undici'], owners: ['libs/upstream-http/**', 'libs/guarded-fetch/**', 'tools/bench/**'] },
  { packages: ['pg', 'pg-copy-streams', '@prisma/*'], owners: ['libs/database/**', 'libs/testing/**', 'tools/simulator/**'] },
  { packages: ['ioredis'], owners: ['libs/redis-stores/**'] },
  { packages: ['@clickhouse/client'], owners: ['libs/clickhouse/**'] },
  { packages: ['kafkajs'], owners: ['libs/event-bus/**', 'tools/kafka/**'] },
  { packages: ['multer'], owners: ['libs/http-server/**'] },
  { packages: ['@aws-sdk/client-s3', '@aws-sdk/lib-storage'], owners: ['libs/s3/**', 'libs/blob-store/**', 'libs/usage-files/**'] },
  { packages: ['express'], owners: ['libs/http-server/**', 'apps/*/**'] },
];

const OUTSIDE_WORLD = ['http', 'https', 'http2', 'net', 'tls', 'dgram', 'fs', 'fs/promises', 'child_process', 'worker_threads', 'cluster'];
const PURE_FOLDERS = [
  'contracts',
  'canonical',
  'errors',
  'access',
  'model-catalog',
  'routing',
  'limits',
  'wire-formats',
  'pricing',
  'recordings',
  'usage',
  'guardrails',
  'finance',
];

const DEEP_PATH = { group: ['@weir/*/*', '!@weir/*/package.json'], message: 'Import other libraries by their public name: @weir/<name>.' };
const NEIGHBOUR_PATH = { regex: '^(\\.\\./)+(libs|apps|tools)/', message: 'Import other libraries by their public name: @weir/<name>.' };
const TESTING = { group: ['@weir/testing'], message: 'Only specs, the end-to-end app and tools may import @weir/testing.' };

/** One list of forbidden imports for one set of folders: the rule's options do not add up, the last match decides. */
function forbidImports({ owned = [], isPure = false, isTestSide = false }) {
  const reserved = RESERVED.filter(({ packages }) => !packages.some((name) => owned.includes(name))).flatMap(({ packages, owners }) => ({
    group: packages.flatMap((name) => [name, `${name}/**`]),
    message: `Reserved for ${owners.join(', ')}.`,
  }));
  const outside = OUTSIDE_WORLD.flatMap((name) => [name, `node:${name}`]).map((name) => ({
    name,
    message: 'Domain libraries are pure: no sockets, disk or processes.',
  }));
  return [
    'error',
    {
      paths: isPure ? outside : [],
      patterns: [DEEP_PATH, NEIGHBOUR_PATH, ...(isTestSide ? [] : [TESTING]), ...reserved],
    },
  ];
}

const ALL_RESERVED = RESERVED.flatMap(({ packages }) => packages);
const ownerBlocks = RESERVED.flatMap(({ owners }) => owners)
  .filter((folder, index, all) => all.indexOf(folder) === index)
  .map((folder) => ({
    files: [`${folder}/*.ts`],
    rules: {
      'no-restricted-imports': forbidImports({
        owned: RESERVED.filter(({ owners }) => owners.includes(folder)).flatMap(({ packages }) => packages),
        isTestSide: folder === 'libs/testing/**' || folder.startsWith('tools/'),
      }),
    },
  }));

const EXPORT_RULES = [
  { selector: 'ExportDefaultDeclaration', message: 'Export by name: a file is called after its one main export.' },
  { selector: 'ExportSpecifier[exported.name="default"]', message: 'Export by name.' },
  {
    selector: 'ExportNamedDeclaration > VariableDeclaration[kind!="const"]',
    message: 'Export constants: those who import a variable would keep its first value (tools/setup/plain-exports.mjs).',
  },
];
const NO_ENVIRONMENT = [
  {
    selector: 'MemberExpression[object.name="process"][property.name="env"]',
    message: 'Only libs/config and env.ts read the environment.',
  },
  { selector: 'ImportDeclaration[source.value=/^(node:)?process$/]', message: 'Only libs/config and env.ts read the environment.' },
];
/** `import('pg')` would slip past the import rules. */
const NO_HIDDEN_IMPORT = {
  selector: `ImportExpression[source.value=/^(${ALL_RESERVED.map((name) => name.replace('/*', '').replace('/', '\\u002f')).join('|')}|@weir)(\\u002f|$)/]`,
  message: 'Reserved packages and libraries are imported at the top of the file.',
};

/** What is done for each request or frame. */
const HOT = [
  ...['chat-translator', 'edge-router', 'media-service'].map((name) => `apps/${name}/**/*.ts`),
  ...['canonical', 'exchange', 'limits', 'meter', 'pricing', 'providers', 'routing', 'wire-formats'].map((name) => `libs/${name}/**/*.ts`),
];
/** V8 keeps a shape for each new getter, and with it all that the getter reaches, until the next full collection: decision 21. */
const NO_GETTER_IN_LITERAL = {
  selector: 'ObjectExpression > Property[kind="get"]',
  message: 'Write a method, or a class with the getter: this one would be a new function, and so a new shape, for each object.',
};

const typedRules = {
  '@typescript-eslint/await-thenable': 'error',
  '@typescript-eslint/no-floating-promises': 'error',
  '@typescript-eslint/no-misused-promises': 'error',
  '@typescript-eslint/only-throw-error': 'error',
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
};

const sizeRules = {
  // A switch over a union is one decision, however many rows it has.
  complexity: ['error', { max: 12, variant: 'modified' }],
  'max-depth': ['error', 3],
  'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
  'max-params': ['error', 4],
};

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/generated/**', '**/coverage/**', '.nx/**', '.weir/**', '.tmp/**'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  eslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { project: ['./tsconfig.spec.json'], tsconfigRootDir: import.meta.dirname } },
    plugins: { '@nx': nx },
    rules: {
      ...typedRules,
      ...sizeRules,
      '@nx/enforce-module-boundaries': ['error', { enforceBuildableLibDependency: false, allow: [], depConstraints }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-require-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      'no-console': 'error',
      'no-restricted-imports': forbidImports({}),
      'no-restricted-syntax': ['error', ...EXPORT_RULES, ...NO_ENVIRONMENT, NO_HIDDEN_IMPORT],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  { files: PURE_FOLDERS.map((name) => `libs/${name}/**/*.ts`), rules: { 'no-restricted-imports': forbidImports({ isPure: true }) } },
  ...ownerBlocks,
  {
    files: ['apps/gateway-e2e/**/*.ts', 'tools/chaos/**/*.ts', 'tools/fidelity/**/*.ts'],
    rules: { 'no-restricted-imports': forbidImports({ isTestSide: true }) },
  },
  {
    // Runs in browsers: no environment, no Node, and a compiler configuration of its own.
    files: ['apps/console/src/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat.recommended],
    languageOptions: {
      globals: globals.browser,
      parserOptions: { project: ['./apps/console/tsconfig.json'], tsconfigRootDir: import.meta.dirname },
    },
  },
  {
    // Generated and published for others, who run them in Node and in browsers.
    files: ['clients/typescript/**/*.ts'],
    languageOptions: { parserOptions: { project: ['./clients/typescript/tsconfig.json'], tsconfigRootDir: import.meta.dirname } },
  },
  {
    files: ['clients/typescript/examples/**/*.ts'],
    // They import the client by the name that it is published under.
    rules: { 'no-console': 'off', 'no-restricted-syntax': ['error', ...EXPORT_RULES], '@nx/enforce-module-boundaries': 'off' },
  },
  {
    // An example for others, with the Kafka client that it uses.
    files: ['clients/usage-events/typescript/*.ts'],
    languageOptions: {
      parserOptions: { project: ['./clients/usage-events/typescript/tsconfig.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      'no-console': 'off',
      'no-restricted-imports': forbidImports({ owned: ['kafkajs'] }),
      'no-restricted-syntax': ['error', ...EXPORT_RULES],
    },
  },
  {
    files: ['apps/console/public/**/*.js'],
    languageOptions: { globals: globals.browser, sourceType: 'script' },
  },
  {
    files: HOT,
    rules: { 'no-restricted-syntax': ['error', ...EXPORT_RULES, ...NO_ENVIRONMENT, NO_HIDDEN_IMPORT, NO_GETTER_IN_LITERAL] },
  },
  {
    files: ['libs/config/**/*.ts', 'apps/*/src/env.ts'],
    rules: { 'no-restricted-syntax': ['error', ...EXPORT_RULES, NO_HIDDEN_IMPORT] },
  },
  { files: ['apps/standalone/src/print-banner.ts', 'tools/**/*.ts'], rules: { 'no-console': 'off' } },
  { files: TEST_SIDE, rules: { 'no-restricted-syntax': ['error', ...EXPORT_RULES] } },
  {
    // Specs may import any library by its public name; they are not part of what is built.
    files: SPECS,
    languageOptions: { globals: globals.jest },
    rules: {
      '@nx/enforce-module-boundaries': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      'max-lines-per-function': 'off',
      'max-params': 'off',
      'no-restricted-imports': forbidImports({ owned: ALL_RESERVED, isTestSide: true }),
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs', '**/*.js'],
    languageOptions: { globals: globals.node },
    rules: { ...sizeRules },
  },
  { files: ['**/*.cjs'], languageOptions: { sourceType: 'commonjs', globals: globals.jest } },
);
