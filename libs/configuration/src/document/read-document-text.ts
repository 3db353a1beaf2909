import { parseAllDocuments, stringify } from 'yaml';

/** A part that stands for itself, or for what it is in. */
const CIRCLE = 'the alias of a part stands within that part: a document cannot hold itself';

/** A text of many names for the same part (`*anchor`) may stand for one that is far larger. */
const ALIASES_MAX = 100;

export class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument';
}

/**
 * Every document of a text in YAML, of which JSON is a part; empty ones are left out. Throws `UnreadableDocument`, which says
 * where and why. Nothing but plain values comes of it: the schema of JSON, without tags, dates and merge keys.
 */
export function readDocumentText(text: string): unknown[] {
  const documents = toPlain(() => parseAllDocuments(text, { schema: 'core', version: '1.2', uniqueKeys: true, prettyErrors: true }));
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new UnreadableDocument(firstLine(error.message));
    const [warning] = document.warnings;
    if (warning !== undefined) throw new UnreadableDocument(firstLine(warning.message));
    const value = toPlain(() => document.toJS({ maxAliasCount: ALIASES_MAX }) as unknown);
    if (toPlain(() => holdsItself(value))) throw new UnreadableDocument(CIRCLE);
    return value === null || value === undefined ? [] : [value];
  });
}

function toPlain<Read>(read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    throw new UnreadableDocument(error instanceof Error ? firstLine(error.message) : 'it cannot be read', { cause: error });
  }
}

/** Parts that aliases share are looked into once. */
function holdsItself(value: unknown, open = new Set<unknown>(), seen = new Set<unknown>()): boolean {
  if (typeof value !== 'object' || value === null || seen.has(value)) return false;
  if (open.has(value)) return true;
  open.add(value);
  const isCircle = Object.values(value).some((inner) => holdsItself(inner, open, seen));
  open.delete(value);
  seen.add(value);
  return isCircle;
}

/** The rest of the message shows lines of the text, which may hold what no one is to see. */
function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/:$/, '').replace('Maximum call stack size exceeded', 'it nests too deep');
}

export function writeDocumentText(document: unknown): string {
  return stringify(document, { lineWidth: 120 });
}
