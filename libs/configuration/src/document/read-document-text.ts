import { parseAllDocuments, stringify } from 'yaml';

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
  const documents = parseAllDocuments(text, { schema: 'core', version: '1.2', uniqueKeys: true, prettyErrors: true });
  if (!Array.isArray(documents)) return [];
  return documents.flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new UnreadableDocument(firstLine(error.message));
    const [warning] = document.warnings;
    if (warning !== undefined) throw new UnreadableDocument(firstLine(warning.message));
    const value = toPlain(() => document.toJS({ maxAliasCount: ALIASES_MAX }) as unknown);
    return value === null || value === undefined ? [] : [value];
  });
}

function toPlain(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    throw new UnreadableDocument(error instanceof Error ? firstLine(error.message) : 'it cannot be read', { cause: error });
  }
}

/** The rest of the message shows lines of the text, which may hold what no one is to see. */
function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/:$/, '');
}

export function writeDocumentText(document: unknown): string {
  return stringify(document, { lineWidth: 120 });
}
