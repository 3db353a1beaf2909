// Creates a library, an app or a tool: `npm run new:lib -- <name> --type domain --scope shared [--kind libs|apps|tools]`.
// Plain Node, so that it works before anything is installed.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { syncReferences } from '../../setup/sync-references.mjs';

const TYPES = ['contract', 'domain', 'platform', 'adapter', 'app', 'standalone', 'testing', 'e2e', 'tool'];
const SCOPES = ['gateway', 'management', 'metering', 'shared', 'testing'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    type: { type: 'string' },
    scope: { type: 'string' },
    kind: { type: 'string', default: 'libs' },
    tag: { type: 'string', multiple: true, default: [] },
    about: { type: 'string', default: 'says what lives here in one sentence.' },
  },
});
const [name] = positionals;

if (!name || !/^[a-z][a-z0-9-]*$/.test(name)) fail('a kebab-case name is needed');
if (!TYPES.includes(values.type)) fail(`--type must be one of ${TYPES.join(', ')}`);
if (!SCOPES.includes(values.scope)) fail(`--scope must be one of ${SCOPES.join(', ')}`);

const root = join(values.kind, name);
if (existsSync(join(root, 'package.json'))) fail(`${root} exists already`);
mkdirSync(join(root, 'src'), { recursive: true });

writeJson(join(root, 'package.json'), {
  name: `@weir/${name}`,
  version: '0.1.0',
  private: true,
  main: './dist/index.js',
  types: './dist/index.d.ts',
  exports: {
    '.': { '@weir/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
    './package.json': './package.json',
  },
  nx: { tags: [`type:${values.type}`, `scope:${values.scope}`, ...values.tag] },
  dependencies: {},
});
writeJson(join(root, 'tsconfig.json'), {
  extends: '../../tsconfig.base.json',
  compilerOptions: { rootDir: 'src', outDir: 'dist', tsBuildInfoFile: 'dist/.tsbuildinfo' },
  include: ['src/**/*.ts', 'src/**/*.json'],
  exclude: ['**/*.spec.ts', '**/__fixtures__/**'],
  references: [],
});
writeFileSync(join(root, 'README.md'), `# ${name}\n\nThis library ${values.about}\n`);
writeFileSync(join(root, 'src', 'index.ts'), `// This library ${values.about}\nexport {};\n`);
syncReferences();
console.log(`${root} is ready; run npm install so that other projects can import @weir/${name}`);

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

function fail(reason) {
  console.error(`new:lib: ${reason}`);
  process.exit(1);
}
