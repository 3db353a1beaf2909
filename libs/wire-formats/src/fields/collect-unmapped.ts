import { isObject, type JsonObject } from './field-readers';
import type { KnownFields } from './known-fields';

/** Extension objects that other parts of the gateway read. */
const EXTENSIONS: ReadonlySet<string> = new Set(['weir', 'requesty']);

/** What spelled-out defaults of nested members say. */
const UNASKED: ReadonlySet<unknown> = new Set([undefined, null, false, 'auto', 'standard']);

/** Types of tools whose members have words of their own in every dialect; hosted ones go on whole. */
const PLAIN_TYPES: ReadonlySet<unknown> = new Set([undefined, null, 'custom', 'function']);

/** The one hosted tool that is translated, with the members that `decodeWebSearchTool` knows. */
const SEARCH_TYPE = /^web_search/;
// prettier-ignore
const KNOWN_OF_SEARCH: ReadonlySet<string> = new Set([
  'type', 'name', 'max_uses', 'allowed_domains', 'blocked_domains', 'filters', 'search_context_size', 'user_location',
]);

/**
 * The fields a decoder has no word for, so that their loss can be reported: at the top, and inside the members that
 * `known.inside` names, be they objects or lists of objects. Null asks for nothing.
 */
export function collectUnmapped(body: JsonObject, known: KnownFields): Record<string, unknown> | undefined {
  const unmapped: Record<string, unknown> = {};
  for (const name in body) {
    const value = body[name];
    if (value !== undefined && value !== null && !known.top.has(name) && !EXTENSIONS.has(name)) unmapped[name] = value;
  }
  for (const name in known.inside) addNested(unmapped, { name, value: body[name], known: known.inside[name] });
  return Object.keys(unmapped).length === 0 ? undefined : unmapped;
}

type Nested = { readonly name: string; readonly value: unknown; readonly known: ReadonlySet<string> | undefined };

function addNested(unmapped: Record<string, unknown>, { name, value, known }: Nested): void {
  for (const holder of Array.isArray(value) ? (value as unknown[]) : [value]) {
    if (!isObject(holder)) continue;
    const { type } = holder;
    if (typeof type === 'string' && SEARCH_TYPE.test(type)) addSearch(unmapped, name, holder);
    else if (PLAIN_TYPES.has(type)) addPlain(unmapped, { name, value: holder, known });
  }
}

function addPlain(unmapped: Record<string, unknown>, { name, value, known }: Nested & { readonly value: JsonObject }): void {
  for (const inner in value) {
    if (known?.has(inner) !== true && !UNASKED.has(value[inner])) unmapped[`${name}.${inner}`] = value[inner];
  }
}

/** A search may reach the web unless the caller forbids it, so saying so asks for nothing. */
function addSearch(unmapped: Record<string, unknown>, name: string, tool: JsonObject): void {
  for (const inner in tool) {
    const value = tool[inner];
    const isAsked = value !== undefined && value !== null && !(inner === 'external_web_access' && value === true);
    if (isAsked && !KNOWN_OF_SEARCH.has(inner)) unmapped[`${name}.${inner}`] = value;
  }
}
