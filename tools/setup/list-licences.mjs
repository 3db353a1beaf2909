// Writes THIRD-PARTY-LICENCES.md: every package that runs in production, and those that the console is built of, with version
// and licence, from package-lock.json.
// `node tools/setup/list-licences.mjs --check` only compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listRuntime } from '../../docker/list-runtime.mjs';

const ROOT = join(fileURLToPath(import.meta.url), '..', '..', '..');
const PAGE = 'THIRD-PARTY-LICENCES.md';
/** What their manifests do not say, read in their licence files. */
const READ_LICENCES = {
  busboy: 'MIT',
  'png-js': 'MIT',
  streamsearch: 'MIT',
  'dejavu-fonts-ttf': 'Bitstream Vera licence; changes in the public domain',
};

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
const shipped = [...listRuntime(ROOT)]
  .sort()
  .map((path) => [path, packages[path]])
  .map(([path, { version, license, optional }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return { name, version, licence: license ?? READ_LICENCES[name] ?? 'unknown', isOptional: optional === true };
  });
/** Of what the console's manifest names: types, and what builds it, stay behind. */
const BUILDS_CONSOLE = /^(vite|openapi-typescript|@types\/.*|@weir\/.*)$/;

const bundled = listBundled();
const rows = [
  ...new Set(
    shipped.map(
      ({ name, version, licence, isOptional }) =>
        `| ${name} | ${version} | ${licence} | ${isOptional ? 'where it fits the machine' : 'always'} |`,
    ),
  ),
];
const counts = new Map();
for (const { licence } of [...shipped, ...bundled]) counts.set(licence, (counts.get(licence) ?? 0) + 1);

const page = `# Licences of shipped packages

Written by \`npm run licences\` from \`package-lock.json\`; do not edit it by hand. Each package's own licence text and notices are in its folder in \`node_modules\`, which the container images keep. Listed is what the images and the package have, and what parts of are in the files of the console; what only builds and tests is not shipped.

| Licence | Packages |
|---|---|
${[...counts]
  .map(([licence, count]) => `| ${licence} | ${count} |`)
  .sort()
  .join('\n')}

| Package | Version | Licence | Installed |
|---|---|---|---|
${[...rows, ...bundled.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} | in the console |`)].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)).join('\n')}
`;

if (!process.argv.includes('--check')) {
  writeFileSync(join(ROOT, PAGE), page);
} else if (readFileSync(join(ROOT, PAGE), 'utf8') !== page) {
  console.error(`${PAGE} is not what package-lock.json says: run npm run licences`);
  process.exit(1);
}

/** What can be in the console's files: its dependencies and theirs, apart from what is shipped as a package anyway. */
function listBundled() {
  const { devDependencies = {} } = packages['apps/console'] ?? {};
  const found = new Map();
  const waiting = Object.keys(devDependencies)
    .filter((name) => !BUILDS_CONSOLE.test(name))
    .map((name) => ({ name, from: 'apps/console' }));
  for (const { name, from } of waiting) {
    const path = resolvePackage(name, from);
    if (path === undefined || found.has(path)) continue;
    const { version, license, dependencies = {} } = packages[path];
    found.set(path, { name, version, licence: license ?? READ_LICENCES[name] ?? 'unknown' });
    waiting.push(...Object.keys(dependencies).map((next) => ({ name: next, from: path })));
  }
  const known = new Set(shipped.map(({ name, version }) => `${name} ${version}`));
  const distinct = new Map([...found.values()].map((one) => [`${one.name} ${one.version}`, one]));
  return [...distinct].filter(([key]) => !known.has(key)).map(([, one]) => one);
}

/** As Node finds it: the nearest one wins. */
function resolvePackage(name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (path in packages) return path;
    if (folder === '') return undefined;
  }
}
