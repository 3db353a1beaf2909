import type { Problem } from './problem';

export type NamedDocument = { readonly source: string; readonly value: unknown };

type Merged = { readonly value: Record<string, unknown>; readonly problems: readonly Problem[] };

/** Several files of one configuration as one document: sections are joined, settings too. */
export function mergeDocuments(documents: readonly NamedDocument[]): Merged {
  const value: Record<string, unknown> = {};
  const problems: Problem[] = [];
  let first: { readonly source: string; readonly head: string; readonly name: string } | undefined;
  for (const { source, value: part } of documents) {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) {
      problems.push({ path: source, message: 'this is not an object with `apiVersion`, `kind` and `metadata`' });
      continue;
    }
    const fields = part as Readonly<Record<string, unknown>>;
    const head = { source, head: JSON.stringify([fields['apiVersion'], fields['kind']]), name: nameOf(fields) };
    first ??= head;
    if (head.head !== first.head) {
      problems.push({ path: source, message: `\`apiVersion\` and \`kind\` are others than in ${first.source}` });
      continue;
    }
    if (head.name !== first.name) {
      const message = `this is the configuration "${head.name}", and ${first.source} is "${first.name}"; apply each by itself`;
      problems.push({ path: source, message });
      continue;
    }
    for (const [section, content] of Object.entries(fields)) {
      const problem = addSection(value, section, content);
      if (problem !== undefined) problems.push({ path: source, message: problem });
    }
  }
  return { value, problems };
}

function nameOf({ metadata }: Readonly<Record<string, unknown>>): string {
  return typeof metadata === 'object' && metadata !== null ? String((metadata as Record<string, unknown>)['name']) : 'undefined';
}

/** Says why what a file has of a section cannot be joined with what is there. */
function addSection(value: Record<string, unknown>, section: string, content: unknown): string | undefined {
  const there = value[section];
  if (there === undefined || section === 'metadata' || section === 'apiVersion' || section === 'kind') {
    value[section] ??= content;
    return undefined;
  }
  if (Array.isArray(there) && Array.isArray(content)) {
    value[section] = [...(there as unknown[]), ...(content as unknown[])];
    return undefined;
  }
  if (section !== 'settings' || typeof content !== 'object' || content === null)
    return `\`${section}\` stands in another file in another form`;
  const repeated = Object.keys(content).find((name) => name in (there as object));
  if (repeated !== undefined) return `\`settings.${repeated}\` stands in another file too`;
  value[section] = { ...(there as object), ...content };
  return undefined;
}
