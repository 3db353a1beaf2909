import { dirname, join } from 'node:path/posix';
import type { Repository, Rule } from '../repository/repository';
import { isTypeScript } from '../repository/kinds-of-files';
import { listRuntimeImports } from '../repository/parse-source';

/** Files do not import each other in circles: in CommonJS one of them would see the other half-loaded. */
export const checkImportCycles: Rule = (repository) => {
  const graph = readGraph(repository);
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) return void cycles.push(`${path}: imports itself through ${[...trail.slice(start + 1), path].join(' → ')}`);
    if (done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return cycles;
};

function readGraph({ files }: Repository): Map<string, string[]> {
  const code = files.filter(({ path }) => isTypeScript(path));
  const known = new Set(code.map(({ path }) => path));
  return new Map(
    code.map((file) => {
      const targets = listRuntimeImports(file)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => join(dirname(file.path), specifier))
        .map((base) => [`${base}.ts`, `${base}/index.ts`].find((path) => known.has(path)));
      return [file.path, targets.filter((path) => path !== undefined)];
    }),
  );
}
