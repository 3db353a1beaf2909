import { findAttribute, findByName, type ResourceKind, type ScimAttribute, type ScimSchema } from './attribute';
import type { AttributePlace } from './filter';

type Named = { readonly schema?: ScimSchema; readonly isExtension: boolean; readonly rest: string };

/** Which schema a name begins with: `urn:…:User:userName`; what is left is empty where it is the name of the schema itself. */
export function splitSchema(kind: ResourceKind, name: string): Named {
  const lower = name.toLowerCase();
  for (const schema of [...kind.extensions, kind.schema]) {
    const id = schema.id.toLowerCase();
    const isExtension = schema !== kind.schema;
    if (lower === id) return { schema, isExtension, rest: '' };
    if (lower.startsWith(`${id}:`)) return { schema, isExtension, rest: name.slice(id.length + 1) };
  }
  return { isExtension: false, rest: name };
}

/** The attribute that a name without a filter means; undefined for one that is not known. */
export function findPlace(kind: ResourceKind, name: string): AttributePlace | undefined {
  const { schema, isExtension, rest } = splitSchema(kind, name);
  const extension = isExtension ? schema : undefined;
  const [first = '', second, ...more] = rest.split('.');
  const attribute = extension === undefined ? findAttribute(kind, first) : findByName(extension.attributes, first);
  if (attribute === undefined || more.length > 0) return undefined;
  const place = { attribute, ...(extension === undefined ? {} : { extension: extension.id }) };
  if (second === undefined) return place;
  const part = findByName(attribute.parts ?? [], second);
  return part === undefined ? undefined : { ...place, part };
}

/** The same of a name inside of the brackets that follow an attribute. */
export function findPart(attribute: ScimAttribute, name: string): AttributePlace | undefined {
  const part = findByName(attribute.parts ?? [], name);
  return part === undefined ? undefined : { attribute: part };
}
