import { isObject, type ResourceKind, type ScimDocument } from './attribute';
import { splitSchema } from './find-place';

export type Selection = { readonly attributes: readonly string[]; readonly excluded: readonly string[] };

const ALWAYS = ['schemas', 'id'];

/** The members of a resource that a client asked for (RFC 7644, 3.9); what is always returned always is. */
export function selectAttributes(kind: ResourceKind, document: ScimDocument, { attributes, excluded }: Selection): ScimDocument {
  const names = (attributes.length > 0 ? attributes : excluded).map((name) => toOwnName(kind, name));
  if (names.length === 0) return document;
  return attributes.length > 0 ? pick(document, names) : omit(document, names);
}

/** Whether a client wants an attribute, so that what costs something need not be looked up. */
export function wantsAttribute(kind: ResourceKind, name: string, { attributes, excluded }: Selection): boolean {
  const own = (names: readonly string[]): string[] => names.map((one) => toOwnName(kind, one));
  if (attributes.length > 0) return own(attributes).some((one) => one === name || one.startsWith(`${name}.`));
  return !own(excluded).includes(name);
}

/** In lower case, without the URN of the kind's own schema; attributes of extensions after theirs, with a dot. */
function toOwnName(kind: ResourceKind, name: string): string {
  const { schema, isExtension, rest } = splitSchema(kind, name.trim());
  if (schema === undefined || !isExtension) return rest.toLowerCase();
  return rest === '' ? schema.id.toLowerCase() : `${schema.id}.${rest}`.toLowerCase();
}

function pick(document: ScimDocument, names: readonly string[]): ScimDocument {
  return mapMembers(document, (name, value) => {
    if (ALWAYS.includes(name) || names.includes(name)) return value;
    const inner = below(names, name);
    return inner.length === 0 ? undefined : mapElements(value, (element) => pick(element, inner));
  });
}

function omit(document: ScimDocument, names: readonly string[]): ScimDocument {
  return mapMembers(document, (name, value) => {
    if (names.includes(name) && !ALWAYS.includes(name)) return undefined;
    const inner = below(names, name);
    return inner.length === 0 ? value : mapElements(value, (element) => omit(element, inner));
  });
}

/** `familyname` of `name.familyname`. */
function below(names: readonly string[], name: string): string[] {
  return names.filter((one) => one.startsWith(`${name}.`)).map((one) => one.slice(name.length + 1));
}

function mapMembers(document: ScimDocument, map: (name: string, value: unknown) => unknown): ScimDocument {
  const mapped = Object.entries(document).map(([name, value]) => [name, map(name.toLowerCase(), value)] as const);
  return Object.fromEntries(mapped.filter(([, value]) => value !== undefined));
}

function mapElements(value: unknown, map: (element: ScimDocument) => ScimDocument): unknown {
  if (Array.isArray(value)) return (value as unknown[]).map((element) => (isObject(element) ? map(element) : element));
  return isObject(value) ? map(value) : undefined;
}
