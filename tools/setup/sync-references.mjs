// Writes the TypeScript project references from the @weir/* dependencies each package.json declares,
// so that the two can never disagree. A project that the compiler only checks (`noEmit`), and something else builds, is no reference.
// `node tools/setup/sync-references.mjs --check` only compares.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(fileURLToPath(import.meta.url), '..', '..', '..');

/** Rewrites every tsconfig's `references`; returns the files that differed. */
export function syncReferences({ check = false } = {}) {
  const projects = listProjects();
  const folderOf = new Map(projects.map((project) => [project.name, project.folder]));
  const changed = [];
  for (const project of projects) {
    const wanted = project.dependencies
      .filter((name) => folderOf.has(name))
      .sort()
      .map((name) => ({ path: relative(project.folder, folderOf.get(name)) }));
    updateReferences(join(project.folder, 'tsconfig.json'), wanted, { check, changed });
  }
  const all = projects.map((project) => ({ path: `./${relative(ROOT, project.folder)}` })).sort(byPath);
  updateReferences(join(ROOT, 'tsconfig.json'), all, { check, changed });
  return changed;
}

function listProjects() {
  return ['libs', 'apps', 'tools'].flatMap((kind) =>
    (existsSync(join(ROOT, kind)) ? readdirSync(join(ROOT, kind)) : [])
      .map((name) => join(ROOT, kind, name))
      .filter((folder) => existsSync(join(folder, 'tsconfig.json')) && isCompiled(folder))
      .map((folder) => {
        const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
        const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
        return { name: manifest.name, folder, dependencies };
      }),
  );
}

function isCompiled(folder) {
  return JSON.parse(readFileSync(join(folder, 'tsconfig.json'), 'utf8')).compilerOptions?.noEmit !== true;
}

function updateReferences(path, references, { check, changed }) {
  const current = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { files: [] };
  if (JSON.stringify(current.references ?? []) === JSON.stringify(references)) return;
  changed.push(relative(ROOT, path));
  if (!check) writeFileSync(path, `${JSON.stringify({ ...current, references }, null, 2)}\n`);
}

function byPath(a, b) {
  return a.path < b.path ? -1 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const check = process.argv.includes('--check');
  const changed = syncReferences({ check });
  if (check && changed.length > 0) {
    console.error(`these references differ from package.json: ${changed.join(', ')}`);
    process.exit(1);
  }
}
