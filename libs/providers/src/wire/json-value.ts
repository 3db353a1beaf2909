import { parseExactJson } from '@weir/canonical';

export type JsonRecord = Record<string, unknown>;

/** Returns undefined for anything but a JSON object. */
export function asRecord(value: unknown): JsonRecord | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : undefined;
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** The objects of a list; whatever else stands in it is left out. */
export function asRecords(value: unknown): readonly JsonRecord[] {
  return asArray(value).flatMap((entry) => {
    const record = asRecord(entry);
    return record === undefined ? [] : [record];
  });
}

/** Returns undefined for anything but a string with something in it. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Providers' text is not trusted to be JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // every caller has a meaning for "not JSON"
  }
}

/** The same, with integers beyond a double's reach kept: for what goes on as it came. */
export function parseExact(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined; // as above
  }
}

/** The object without its undefined members, so that optional ones stay absent. */
export function withoutUndefined<Shape extends object>(value: Shape): { [Key in keyof Shape]: Exclude<Shape[Key], undefined> } {
  const result: JsonRecord = {};
  for (const [name, member] of Object.entries(value)) if (member !== undefined) result[name] = member;
  return result as { [Key in keyof Shape]: Exclude<Shape[Key], undefined> };
}

/** The members that no one here has a word for; undefined when there are none. */
export function pickOthers(body: JsonRecord, known: ReadonlySet<string>): JsonRecord | undefined {
  const others = Object.entries(body).filter(([name]) => !known.has(name));
  return others.length === 0 ? undefined : Object.fromEntries(others);
}
