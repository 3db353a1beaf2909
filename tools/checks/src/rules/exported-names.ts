import { dirname, join } from 'node:path/posix';
import ts from 'typescript';
import type { Repository, RepositoryFile, Rule } from '../repository/repository';
import { isSource } from '../repository/kinds-of-files';
import { parseSource } from '../repository/parse-source';

/** A library exports by name, and only what another project uses: what stands in its index is its public interface. */
export const checkExportedNames: Rule = (repository) => {
  const used = listUsedNames(repository);
  return repository.projects
    .filter(({ folder }) => folder.startsWith('libs/'))
    .flatMap(({ name, folder }) => {
      const index = repository.files.find(({ path }) => path === `${folder}/src/index.ts`);
      if (index === undefined) return [];
      const names = used.get(name) ?? new Set();
      return listExports(index).flatMap((exported) => {
        if (exported === '*') return [`${index.path}: exports all of a file; name what is public`];
        return names.has(exported) || names.has('*') ? [] : [`${index.path}: exports ${exported}, which no other project uses`];
      });
    });
};

function listExports(index: RepositoryFile): string[] {
  return parseSource(index).statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement)) return [];
    if (statement.exportClause === undefined) return ['*'];
    return ts.isNamedExports(statement.exportClause) ? statement.exportClause.elements.map(({ name }) => name.text) : [];
  });
}

/** Names that files import from packages, by package; `*` stands for a use of the whole package. */
function listUsedNames({ files, projects }: Repository): Map<string, Set<string>> {
  const used = new Map(
    projects.flatMap(({ name, folder }) => {
      const names = new Set<string>();
      return [[name, names] as const, [folder, names] as const];
    }),
  );
  for (const file of files.filter(({ path }) => isSource(path))) {
    const visit = (node: ts.Node): void => {
      for (const [specifier, imported] of listImported(node)) used.get(findPackage(file, specifier))?.add(imported);
      ts.forEachChild(node, visit);
    };
    visit(parseSource(file));
  }
  return used;
}

/** A spec may import its own library as others see it: `from '..'` names the index. */
function findPackage({ path }: RepositoryFile, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  const [, folder] = /^(libs\/[^/]+)\/src(?:\/index|\/)?$/.exec(join(dirname(path), specifier)) ?? [];
  return folder === undefined ? specifier : folder;
}

function listImported(node: ts.Node): [string, string][] {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    const name = node.moduleSpecifier.text;
    const bindings = node.importClause?.namedBindings;
    if (bindings === undefined) return [];
    if (ts.isNamespaceImport(bindings)) return [[name, '*']];
    return bindings.elements.map((element) => [name, (element.propertyName ?? element.name).text]);
  }
  // `import('…')`, `require('…')` and `jest.requireActual('…')` take the whole package.
  const [first] = ts.isCallExpression(node) ? node.arguments : [];
  return first !== undefined && ts.isStringLiteral(first) ? [[first.text, '*']] : [];
}
