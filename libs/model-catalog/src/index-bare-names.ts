import type { ModelRecord } from './model-record.schema';

/** Who serves a model that was named without its vendor. */
export type BareMatches = {
  /** Records whose id ends with that name. */
  readonly exact: readonly ModelRecord[];
  /** Records of the same model under another name, such as one with a date. */
  readonly related: readonly ModelRecord[];
};

const NO_RECORDS: readonly ModelRecord[] = [];
const NO_MATCHES: BareMatches = { exact: NO_RECORDS, related: NO_RECORDS };

/** The part of an id behind its last slash. */
export function bareName(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1);
}

/** Looks models up by the name that their vendor gives them, as clients of the vendor's own interface do. */
export function indexBareNames(records: readonly ModelRecord[]): (name: string) => BareMatches {
  const byName = groupBy(records, ({ id }) => bareName(id));
  const byCanonicalName = groupBy(records, ({ canonicalName }) => canonicalName);
  const canonicalNames = groupBy([...byCanonicalName.keys()], bareName);
  return (name) => {
    if (name === '' || name.includes('/')) return NO_MATCHES;
    const exact = byName.get(name) ?? NO_RECORDS;
    const canonical = new Set([...exact.map(({ canonicalName }) => canonicalName), ...(canonicalNames.get(name) ?? [])]);
    const related = [...canonical].flatMap((one) => byCanonicalName.get(one) ?? []).filter((record) => !exact.includes(record));
    return exact.length + related.length === 0 ? NO_MATCHES : { exact, related };
  };
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
