/** What a row of a list is found by. */
export type Findable = {
  readonly texts: readonly (string | undefined)[];
  /** A random one: looked at from its beginning only, since a few letters or digits are in some of ten thousand by chance. */
  readonly id?: string;
};

/** The first part of a UUID. */
const ID_BEGINS = 8;

/** The rows that have every word of the search, in any order and wherever it is; upper and lower case are the same. */
export function findRows<Row>(rows: readonly Row[], search: string | undefined, toFindable: (row: Row) => Findable): Row[] {
  const words = (search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0 ? [...rows] : rows.filter((row) => hasWords(toFindable(row), words));
}

function hasWords({ texts, id = '' }: Findable, words: readonly string[]): boolean {
  const text = texts.join('\n').toLowerCase();
  return words.every((word) => text.includes(word) || (word.length >= ID_BEGINS && id.toLowerCase().startsWith(word)));
}
