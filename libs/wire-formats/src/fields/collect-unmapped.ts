import { isObject, type JsonObject } from './field-readers';

/** Extension objects that other parts of the gateway read. */
const EXTENSIONS: ReadonlySet<string> = new Set(['weir', 'requesty']);

/** What spelled-out defaults of nested members say. */
const UNASKED: ReadonlySet<unknown> = new Set([undefined, null, false, 'auto', 'standard']);

/** Types of tools whose members have words of their own in every dialect; hosted ones go on whole. */
const PLAIN_TYPES: ReadonlySet<unknown> = new Set([undefined, null, 'custom', 'function']);

/**
 * The fields a decoder has no word for, so that their loss can be reported: at the top, and inside the members that
 * `nested` names, be they objects or lists of objects. Null asks for nothing.
 */
export function collectUnmapped(
  body: JsonObject,
  known: ReadonlySet<string>,
  nested: Readonly<Record<string, ReadonlySet<string>>> = {},
): Record<string, unknown> | undefined {
  const unmapped: Record<string, unknown> = {};
  for (const name in body) {
    const value = body[name];
    if (value !== undefined && value !== null && !known.has(name) && !EXTENSIONS.has(name)) unmapped[name] = value;
  }
  for (const name in nested) addNested(unmapped, { name, value: body[name], known: nested[name] });
  return Object.keys(unmapped).length === 0 ? undefined : unmapped;
}

type Nested = { readonly name: string; readonly value: unknown; readonly known: ReadonlySet<string> | undefined };

function addNested(unmapped: Record<string, unknown>, { name, value, known }: Nested): void {
  for (const holder of Array.isArray(value) ? (value as unknown[]) : [value]) {
    if (!isObject(holder) || !PLAIN_TYPES.has(holder['type'])) continue;
    for (const inner in holder) {
      if (known?.has(inner) !== true && !UNASKED.has(holder[inner])) unmapped[`${name}.${inner}`] = holder[inner];
    }
  }
}
