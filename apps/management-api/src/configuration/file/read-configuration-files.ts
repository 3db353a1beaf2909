import {
  mergeDocuments,
  readDocumentText,
  resolveSecrets,
  UnreadableDocument,
  type KeptSecret,
  type NamedDocument,
} from '@weir/configuration';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';

const ENDINGS = ['.yaml', '.yml', '.json'];

/** Files that make no document; the message says which and why. */
export class UnreadableFiles extends Error {
  override readonly name = 'UnreadableFiles';
}

/** Where a reference stands: in which file, and where in its document. */
export type SecretPlace = { readonly source: string; readonly path: string };
type ResolveFileSecret = (reference: KeptSecret, place: SecretPlace) => Promise<string | undefined>;

/** The text of a file that a document may be in. */
export type SourceText = { readonly source: string; readonly text: string };

/** The texts of files, and of those that are in folders, in the order of their names. Names that begin with a dot are not looked at. */
export function readConfigurationTexts(paths: readonly string[]): SourceText[] {
  return paths
    .flatMap(listFiles)
    .map((source) => ({ source, text: readOr(source, () => readFileSync(source === '-' ? 0 : source, 'utf8')) }));
}

/** What texts say, as one document with values in place of references. */
export async function joinConfigurationTexts(texts: readonly SourceText[], resolve: ResolveFileSecret): Promise<Record<string, unknown>> {
  const documents: NamedDocument[] = [];
  for (const { source, text } of texts) {
    for (const value of readOr(source, () => readDocumentText(text)))
      documents.push({ source, value: await resolveSecrets(value, (reference, path) => resolve(reference, { source, path })) });
  }
  if (documents.length === 0) throw new UnreadableFiles('there is no document in the files');
  const { value, problems } = mergeDocuments(documents);
  if (problems.length > 0) throw new UnreadableFiles(problems.map(({ path, message }) => `${path}: ${message}`).join('\n'));
  return value;
}

/** `-` is standard input. */
function listFiles(path: string): string[] {
  if (path === '-') return [path];
  return readOr(path, () => {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.') && ENDINGS.includes(extname(entry.name)))
      .map(({ name }) => join(path, name))
      .sort();
  });
}

function readOr<Result>(path: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const why = error instanceof UnreadableDocument ? error.message : `it cannot be read (${codeOf(error)})`;
    throw new UnreadableFiles(`${path}: ${why}`, { cause: error });
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown reason';
}
