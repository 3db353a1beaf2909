import type { JsonObject } from './field-readers';

/** Extension objects that other parts of the gateway read. */
const EXTENSIONS: ReadonlySet<string> = new Set(['weir', 'requesty']);

/** The top-level fields a decoder has no word for, so that their loss can be reported. Null asks for nothing. */
export function collectUnmapped(body: JsonObject, known: ReadonlySet<string>): Record<string, unknown> | undefined {
  let unmapped: Record<string, unknown> | undefined;
  for (const name in body) {
    const value = body[name];
    if (value === undefined || value === null || known.has(name) || EXTENSIONS.has(name)) continue;
    unmapped ??= {};
    unmapped[name] = value;
  }
  return unmapped;
}
