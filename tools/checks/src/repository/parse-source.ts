import ts from 'typescript';
import type { RepositoryFile } from './repository';

export function parseSource({ path, text }: RepositoryFile): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
}

export type FoundText = { readonly text: string; readonly line: number };

/** Names and texts of the code itself; comments are prose and may name anything. */
export function listCodeTexts(file: RepositoryFile): FoundText[] {
  const source = parseSource(file);
  const found: FoundText[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isIdentifier(node) ||
      ts.isStringLiteralLike(node) ||
      isTemplatePart(node) ||
      node.kind === ts.SyntaxKind.RegularExpressionLiteral
    ) {
      found.push({
        text: (node as ts.Identifier | ts.LiteralLikeNode).text,
        line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1,
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isTemplatePart(node: ts.Node): boolean {
  return ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
}

/** What a file imports or re-exports when it runs; types alone are left out. */
export function listRuntimeImports(file: RepositoryFile): string[] {
  return parseSource(file).statements.flatMap((statement) => {
    if (ts.isImportDeclaration(statement) && !isTypesOnly(statement)) return [readSpecifier(statement.moduleSpecifier)];
    if (ts.isExportDeclaration(statement) && statement.moduleSpecifier && !statement.isTypeOnly)
      return [readSpecifier(statement.moduleSpecifier)];
    return [];
  });
}

function isTypesOnly({ importClause }: ts.ImportDeclaration): boolean {
  if (importClause === undefined) return false;
  if (importClause.isTypeOnly) return true;
  const named = importClause.namedBindings;
  return (
    importClause.name === undefined &&
    named !== undefined &&
    ts.isNamedImports(named) &&
    named.elements.every((element) => element.isTypeOnly)
  );
}

function readSpecifier(node: ts.Expression): string {
  return ts.isStringLiteral(node) ? node.text : '';
}
