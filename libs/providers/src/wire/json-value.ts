import { asArray, asRecord, parseExactJson, type JsonRecord } from '@weir/canonical';

export { asArray, asNumber, asRecord, asText, parseJson, type JsonRecord } from '@weir/canonical';

/** The objects of a list; whatever else stands in it is left out. */
export function asRecords(value: unknown): readonly JsonRecord[] {
  return asArray(value).flatMap((entry) => {
    const record = asRecord(entry);
    return record === undefined ? [] : [record];
  });
}

/** Like `parseJson`, with numbers beyond a double's reach kept: for what goes on as it came. */
export function parseExact(text: string): unknown {
  try {
    return parseExactJson(text);
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

/** The members that no one here has a word for; undefined when there are none. */
export function pickOthers(body: JsonRecord, known: ReadonlySet<string>): JsonRecord | undefined {
  const others = Object.entries(body).filter(([name]) => !known.has(name));
  return others.length === 0 ? undefined : Object.fromEntries(others);
}
