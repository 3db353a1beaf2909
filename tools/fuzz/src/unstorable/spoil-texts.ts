/** What Postgres keeps in no text, and what its JSON refuses. */
export const UNSTORABLE = ['\0', '\ud800'] as const;

/** Every way in which one text, or the name of one member, of a body can have a character in it that cannot be kept. */
export function* spoilTexts(value: unknown, write: (value: unknown) => unknown = (whole) => whole): Generator<unknown> {
  if (typeof value === 'string') for (const character of UNSTORABLE) yield write(`${value}${character}`);
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [index, element] of (value as unknown[]).entries()) yield* spoilTexts(element, (one) => write(value.with(index, one)));
    return;
  }
  for (const character of UNSTORABLE) yield write({ ...value, [`a${character}`]: 'x' });
  for (const [name, member] of Object.entries(value)) yield* spoilTexts(member, (one) => write({ ...value, [name]: one }));
}
