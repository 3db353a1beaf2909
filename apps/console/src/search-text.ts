/** The search of an address as people write it: `?model=a&model=b`, without quotes or braces. */
export type SearchValues = Readonly<Record<string, string | readonly string[]>>;

export function readSearchText(text: string): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const known = Object.hasOwn(values, name) ? values[name] : undefined;
    values[name] = known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value];
  }
  return values;
}

/** Leaves out what is undefined or empty, so that the usual view has a short address. */
export function writeSearchText(values: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (item !== undefined && item !== null && item !== '') search.append(name, String(item as string | number | boolean));
    }
  }
  const text = search.toString().replaceAll('%2F', '/').replaceAll('%3A', ':').replaceAll('%2C', ',');
  return text === '' ? '' : `?${text}`;
}

/** One parameter as text; of several the first. */
export function readText(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' && first !== '' ? first : undefined;
}

export function readTexts(value: unknown): string[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return [...new Set(all.filter((item) => typeof item === 'string' && item !== '').map(String))];
}

/** One of the words that are allowed, or nothing. */
export function readWord<Word extends string>(value: unknown, words: readonly Word[]): Word | undefined {
  const text = readText(value);
  return words.find((word) => word === text);
}
