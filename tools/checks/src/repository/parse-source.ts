import ts from 'typescript';
import type { RepositoryFile } from './repository';

export function parseSource({ path, text }: RepositoryFile): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
}

type FoundText = { readonly text: string; readonly line: number };

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

/** What a file imports or re-exports, types included. */
export function listImports(file: RepositoryFile): string[] {
  return parseSource(file).statements.flatMap((statement) => {
    const isImport = ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement);
    return isImport && statement.moduleSpecifier ? [readSpecifier(statement.moduleSpecifier)] : [];
  });
}

function readSpecifier(node: ts.Expression): string {
  return ts.isStringLiteral(node) ? node.text : '';
}
