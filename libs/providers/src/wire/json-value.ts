export type JsonRecord = Record<string, unknown>;

/** Answers undefined for anything but a JSON object. */
export function asRecord(value: unknown): JsonRecord | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : undefined;
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** Answers undefined for anything but a string with something in it. */
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

/** The object without its undefined members, so that optional ones stay absent. */
export function withoutUndefined<Shape extends object>(value: Shape): { [Key in keyof Shape]: Exclude<Shape[Key], undefined> } {
  const result: JsonRecord = {};
  for (const [name, member] of Object.entries(value)) if (member !== undefined) result[name] = member;
  return result as { [Key in keyof Shape]: Exclude<Shape[Key], undefined> };
}
