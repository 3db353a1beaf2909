// What specs import from other projects.
const { readFileSync, statSync } = require('node:fs');

const IMPORTED = /(?:from|import|import\(|require\(|mock\(|requireActual\()\s*'(@weir\/[a-z0-9-]+)['/]/g;
const seen = new Map();

/** The names of the projects, without repetition. */
function listSpecImports(paths) {
  return [...new Set(paths.flatMap(readImports))].sort();
}

/** Read once for each time a file was changed: the graph asks twice in one run. */
function readImports(path) {
  const { mtimeMs } = statSync(path);
  const known = seen.get(path);
  if (known?.mtimeMs === mtimeMs) return known.names;
  const names = [...readFileSync(path, 'utf8').matchAll(IMPORTED)].map(([, name]) => name);
  seen.set(path, { mtimeMs, names });
  return names;
}

module.exports = { listSpecImports };
