/** What a row of a list is found by. */
export type Findable = {
  readonly texts: readonly string[];
  /** A random one: looked at from its beginning only, since a few letters or digits are in some of ten thousand by chance. */
  readonly id: string;
};

/** The first part of a UUID. */
const ID_BEGINS = 8;

/** Words are found in any order, wherever they are; upper and lower case are the same. */
export function toWords(search: string | undefined): string[] {
  return (search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
}

export function hasWords({ texts, id }: Findable, words: readonly string[]): boolean {
  const text = texts.join('\n').toLowerCase();
  return words.every((word) => text.includes(word) || (word.length >= ID_BEGINS && id.toLowerCase().startsWith(word)));
}
