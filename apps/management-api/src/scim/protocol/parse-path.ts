import type { ResourceKind, ScimSchema } from './attribute';
import type { AttributePlace, Filter } from './filter';
import { findPlace, splitSchema } from './find-place';
import { parseElementFilter } from './parse-filter';
import { refuse, shorten } from './refusals';

/** What an operation of a patch is about. */
export type PatchPath =
  /** All of an extension, or of the resource. */
  | { readonly kind: 'schema'; readonly schema: ScimSchema }
  | { readonly kind: 'attribute'; readonly place: AttributePlace; readonly filter?: Filter };

const CHARS_MAX = 4_000;

/** Reads `name`, `name.part`, `name[filter]` and `name[filter].part`, each after a URN or without. Throws `invalidPath`. */
export function parsePath(kind: ResourceKind, text: string): PatchPath {
  const path = findPath(kind, text.trim());
  if (path === undefined) throw refuse('invalidPath', `There is no attribute "${shorten(text)}".`, 'path');
  return path;
}

/** Undefined for what is not known; throws for brackets that cannot be read. */
export function findPath(kind: ResourceKind, text: string): PatchPath | undefined {
  if (text.length > CHARS_MAX) throw refuse('invalidPath', `A path may have ${CHARS_MAX} characters at most.`, 'path');
  const open = text.indexOf('[');
  if (open < 0) return findPlain(kind, text);
  const close = text.lastIndexOf(']');
  const rest = text.slice(close + 1);
  if (close < open || !/^(\.\S+)?$/.test(rest)) throw refuse('invalidPath', `The path "${shorten(text)}" cannot be read.`, 'path');
  const place = findPlace(kind, text.slice(0, open) + rest);
  if (place === undefined) return undefined;
  if (place.attribute.parts === undefined) throw refuse('invalidPath', `\`${place.attribute.name}\` has no parts to choose by.`, 'path');
  return { kind: 'attribute', place, filter: parseElementFilter(place, text.slice(open + 1, close)) };
}

function findPlain(kind: ResourceKind, text: string): PatchPath | undefined {
  const { schema, rest } = splitSchema(kind, text);
  if (schema !== undefined && rest === '') return { kind: 'schema', schema };
  const place = findPlace(kind, text);
  return place === undefined ? undefined : { kind: 'attribute', place };
}
