import { dirname, join } from 'node:path/posix';
import { isTypeScript } from './kinds-of-files';
import { listImports } from './parse-source';
import type { Repository } from './repository';

/** From each node to those that it imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Which files of code import which by a relative path. */
export function readImportGraph({ files }: Repository): ImportGraph {
  const code = files.filter(({ path }) => isTypeScript(path));
  const known = new Set(code.map(({ path }) => path));
  return new Map(
    code.map((file) => {
      const targets = listImports(file)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => join(dirname(file.path), specifier))
        .map((base) => [`${base}.ts`, `${base}/index.ts`].find((path) => known.has(path)));
      return [file.path, targets.filter((path) => path !== undefined)];
    }),
  );
}
