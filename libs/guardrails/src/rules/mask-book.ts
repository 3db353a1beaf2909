/** Which placeholder stands for which value in one request: the same value gets the same one. */
export type MaskBook = {
  /** The placeholder of a value, such as `[EMAIL_1]`. `isReversible`: the caller sent the value and may have it back. */
  mask(kind: string, value: string, isReversible: boolean): string;
  /** What a placeholder stands for; undefined for one that is not to be undone. */
  restore(placeholder: string): string | undefined;
  /** All that can be undone. */
  placeholders(): string[];
};

/** `texts` are what the caller wrote: placeholders in there have to mean themselves. They are searched once for each kind, as they may be long. */
export function createMaskBook(texts: readonly string[]): MaskBook {
  const byValue = new Map<string, string>();
  const values = new Map<string, string>();
  const counts = new Map<string, number>();
  const taken = new Map<string, ReadonlySet<string>>();

  const findTaken = (label: string): ReadonlySet<string> => {
    const known = taken.get(label) ?? new Set(texts.flatMap((text) => text.match(new RegExp(`\\[${label}_\\d+\\]`, 'g')) ?? []));
    taken.set(label, known);
    return known;
  };

  const next = (label: string): string => {
    for (;;) {
      const count = (counts.get(label) ?? 0) + 1;
      counts.set(label, count);
      const placeholder = `[${label}_${count}]`;
      if (!findTaken(label).has(placeholder)) return placeholder;
    }
  };

  return {
    mask: (kind, value, isReversible) => {
      const label = kind.toUpperCase().replace(/[^A-Z0-9_]/g, '_');
      const key = `${label} ${value}`;
      const placeholder = byValue.get(key) ?? next(label);
      byValue.set(key, placeholder);
      if (isReversible) values.set(placeholder, value);
      return placeholder;
    },
    restore: (placeholder) => values.get(placeholder),
    placeholders: () => [...values.keys()],
  };
}
