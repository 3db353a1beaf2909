import {
  explainDeploymentKind,
  findDeploymentKind,
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

/** The documents that stand in texts. */
export function listConfigurationDocuments(texts: readonly SourceText[]): NamedDocument[] {
  const documents = texts.flatMap(({ source, text }) => readOr(source, () => readDocumentText(text)).map((value) => ({ source, value })));
  if (documents.length === 0) throw new UnreadableFiles('there is no document in the files');
  return documents;
}

/** Documents of an organization as one, with values in place of references. */
export async function joinConfigurationDocuments(
  documents: readonly NamedDocument[],
  resolve: ResolveFileSecret,
): Promise<Record<string, unknown>> {
  const resolved: NamedDocument[] = [];
  for (const { source, value } of documents) {
    const kind = findDeploymentKind(value);
    if (kind !== undefined) throw new UnreadableFiles(`${source}: ${explainDeploymentKind(kind)}`);
    resolved.push({ source, value: await resolveSecrets(value, (reference, path) => resolve(reference, { source, path })) });
  }
  const { value, problems } = mergeDocuments(resolved);
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
