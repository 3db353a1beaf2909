import { join } from 'node:path';
import ts from 'typescript';
import type { PublishedTypes } from './vendor-types';

/** One place where a body is not what the vendor's types allow. */
export type Deviation = {
  /** Index of the body. */
  readonly body: number;
  /** The member at fault; `[]` stands for any position in a list. */
  readonly path: string;
  readonly problem: string;
};

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2022.d.ts'],
  types: [],
};

/** Where the program pretends to stand, so that packages are found. */
export const PROGRAM_FOLDER = __dirname;

/**
 * Checks bodies, given as JSON, against a vendor's published types: each stands as a literal in one program, so that
 * members the types do not know are errors, and the types are read once. The compiler names one unknown member of an
 * object at a time, so what it named is taken out and the rest looked at again.
 */
export function checkBodies(types: PublishedTypes, bodies: readonly string[]): Deviation[] {
  const found: Deviation[] = [];
  let left = bodies.map((text, body) => ({ body, text }));
  while (left.length > 0) {
    const named = checkOnce(
      types,
      left.map(({ text }) => text),
    ).map(({ at, ...rest }) => ({ ...rest, at, body: left[at]?.body ?? -1 }));
    found.push(...named.map(({ body, path, problem }) => ({ body, path, problem })));
    left = left.flatMap(({ body, text }, index) => {
      const unknown = named.filter(({ at, problem }) => at === index && UNKNOWN_MEMBER.test(problem));
      return unknown.length === 0
        ? []
        : [
            {
              body,
              text: withoutMembers(
                text,
                unknown.map(({ keys }) => keys),
              ),
            },
          ];
    });
  }
  return found;
}

const UNKNOWN_MEMBER = /may only specify known properties/;
type Keys = readonly (string | number)[];
type Found = { readonly at: number; readonly keys: Keys; readonly path: string; readonly problem: string };

function checkOnce({ declaration }: PublishedTypes, texts: readonly string[]): Found[] {
  const file = join(PROGRAM_FOLDER, 'published-bodies.ts');
  const head = `${declaration}\nexport const bodies: unknown[] = [];\n`;
  const program = createProgram(file, head + texts.map((text) => `bodies.push((${text}) satisfies Body);\n`).join(''));
  const source = program.getSourceFile(file);
  if (source === undefined) throw new Error('the program has no bodies');
  const firstLine = head.split('\n').length - 1;
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((diagnostic) => {
    const at = source.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line - firstLine;
    const problem = ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ').replace(/\s+/g, ' ');
    if (at < 0) throw new Error(`the vendor's types cannot be read: ${problem}`);
    const keys = keysAt(source, diagnostic.start ?? 0);
    const path = keys
      .map((key) => (typeof key === 'number' ? '[]' : `.${key}`))
      .join('')
      .replace(/^\./, '');
    return { at, keys, path, problem };
  });
}

function withoutMembers(text: string, members: readonly Keys[]): string {
  const body = JSON.parse(text) as unknown;
  for (const keys of members) {
    const owner = keys.slice(0, -1).reduce<unknown>((value, key) => (value as Record<string | number, unknown> | undefined)?.[key], body);
    if (typeof owner === 'object' && owner !== null) Reflect.deleteProperty(owner, keys.at(-1) ?? '');
  }
  return JSON.stringify(body);
}

/** The vendors' files, each read once: programs share them. */
const READ = new Map<string, ts.SourceFile | undefined>();

function createProgram(file: string, text: string): ts.Program {
  const host = ts.createCompilerHost(OPTIONS);
  const { fileExists, readFile } = host;
  const getSourceFile: typeof host.getSourceFile = (name, language) => {
    if (name === file) return ts.createSourceFile(name, text, language, true);
    if (!READ.has(name)) READ.set(name, host.getSourceFile(name, language));
    return READ.get(name);
  };
  return ts.createProgram([file], OPTIONS, {
    ...host,
    getSourceFile,
    fileExists: (name) => name === file || fileExists(name),
    readFile: (name) => (name === file ? text : readFile(name)),
  });
}

/** The members and places around a position, from the outside in. */
function keysAt(source: ts.SourceFile, position: number): Keys {
  const keys: (string | number)[] = [];
  for (let node: ts.Node | undefined = source; node !== undefined;) {
    const outer: ts.Node = node;
    const inner: ts.Node | undefined = ts.forEachChild(outer, (child) =>
      child.getStart(source) <= position && position < child.getEnd() ? child : undefined,
    );
    if (ts.isPropertyAssignment(outer)) keys.push(ts.isStringLiteral(outer.name) ? outer.name.text : outer.name.getText(source));
    else if (ts.isArrayLiteralExpression(outer)) keys.push(outer.elements.findIndex((element) => element === inner));
    node = inner;
  }
  return keys;
}
