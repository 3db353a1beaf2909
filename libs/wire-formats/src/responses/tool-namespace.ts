import { isObject, type JsonObject } from '../fields/field-readers';

/** A tool inside a namespace, as its caller knows it. */
export type NamespacedName = { readonly namespace: string; readonly name: string };

const NAME_MAX = 64;

/** One flat name for a tool inside a namespace, for providers that know no namespaces: always the same, at most 64 characters. */
export function flattenName({ namespace, name }: NamespacedName): string {
  const flat = `${namespace}__${name}`.replace(/[^A-Za-z0-9_-]/g, '_');
  return flat.length <= NAME_MAX ? flat : `${flat.slice(0, NAME_MAX - 9)}_${hash(`${namespace}\n${name}`)}`;
}

/** The way back: what the flat names of this request stand for. */
export function mapNamespacedNames(tools: unknown): ReadonlyMap<string, NamespacedName> {
  const names = new Map<string, NamespacedName>();
  if (!Array.isArray(tools)) return names;
  for (const tool of tools as unknown[]) {
    if (!isObject(tool) || tool['type'] !== 'namespace' || !Array.isArray(tool['tools'])) continue;
    for (const inner of tool['tools'] as unknown[]) addName(names, tool, inner);
  }
  return names;
}

function addName(names: Map<string, NamespacedName>, holder: JsonObject, inner: unknown): void {
  const namespace = holder['name'];
  const name = isObject(inner) ? inner['name'] : undefined;
  if (typeof namespace !== 'string' || typeof name !== 'string') return;
  names.set(flattenName({ namespace, name }), { namespace, name });
}

/** FNV-1a, 32 bits: enough to keep long names of one request apart. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return (value >>> 0).toString(16).padStart(8, '0');
}
