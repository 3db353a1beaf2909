import { isDeepStrictEqual } from 'node:util';
import { isObject, type ScimAttribute, type ScimDocument } from './attribute';
import type { Filter } from './filter';
import { matchesFilter } from './match-filter';
import type { PatchPath } from './parse-path';
import { keepOnePrimary, readOne, readValue } from './read-value';
import { refuse } from './refusals';

export type PatchOperation = { readonly op: 'add' | 'replace' | 'remove'; readonly value: unknown };

type AttributePath = Extract<PatchPath, { kind: 'attribute' }>;

/** The value of an attribute after an operation; undefined: it has none. */
export function editAttribute(current: unknown, operation: PatchOperation, path: AttributePath): unknown {
  const { attribute } = path.place;
  const edited = attribute.isMultiple === true ? editList(toList(current), operation, path) : editSingle(current, operation, path);
  if (Array.isArray(edited)) return edited.length === 0 ? undefined : edited;
  return isObject(edited) && Object.keys(edited).length === 0 ? undefined : edited;
}

function toList(current: unknown): readonly unknown[] {
  return Array.isArray(current) ? (current as unknown[]) : [];
}

function editSingle(current: unknown, { op, value }: PatchOperation, { place, filter }: AttributePath): unknown {
  const { attribute, part } = place;
  if (filter !== undefined && !matches(filter, current)) throw noTarget(attribute);
  if (part !== undefined) return setPart(current, part, op === 'remove' ? undefined : value);
  if (op === 'remove') return undefined;
  const read = readValue(attribute, value, attribute.name);
  // Parts that are not named stay (RFC 7644, 3.5.2.1 and 3.5.2.3).
  return isObject(current) && isObject(read) ? { ...current, ...read } : read;
}

function editList(current: readonly unknown[], operation: PatchOperation, path: AttributePath): unknown[] {
  if (path.filter !== undefined || path.place.part !== undefined) return editElements(current, operation, path);
  const { attribute } = path.place;
  const { op, value } = operation;
  const read = toList(readValue(attribute, value, attribute.name));
  // With a value, some directories mean these elements alone.
  if (op === 'replace' || (op === 'remove' && (value === undefined || value === null))) return [...read];
  const isAmong = createComparison(read);
  const others = current.filter((element) => !isAmong(element));
  return op === 'remove' ? others : keepOnePrimary([...others, ...read]);
}

/** Whether one of some elements is the same as another; there may be thousands of both. */
function createComparison(elements: readonly unknown[]): (other: unknown) => boolean {
  const byValue = new Map<string, Set<unknown>>();
  const others: unknown[] = [];
  for (const element of elements) {
    const value = keyOf(element);
    if (value === undefined) others.push(element);
    else byValue.set(value, (byValue.get(value) ?? new Set()).add((element as ScimDocument)['type']));
  }
  return (other) => {
    const value = keyOf(other);
    if (value === undefined) return others.some((element) => isDeepStrictEqual(other, element));
    // The same thing said again: for the same purpose, where both say one.
    const purposes = byValue.get(value);
    const purpose = (other as ScimDocument)['type'];
    return purposes !== undefined && (purpose === undefined || purposes.has(undefined) || purposes.has(purpose));
  };
}

function keyOf(element: unknown): string | undefined {
  return isObject(element) && typeof element['value'] === 'string' ? element['value'].toLowerCase() : undefined;
}

/** Some elements of a list, or a part of them. */
function editElements(current: readonly unknown[], { op, value }: PatchOperation, { place, filter }: AttributePath): unknown[] {
  const { attribute, part } = place;
  const isMeant = (element: unknown): boolean => filter === undefined || matches(filter, element);
  if (op === 'remove') {
    if (part === undefined) return current.filter((element) => !isMeant(element));
    return current.map((element) => (isMeant(element) ? setPart(element, part, undefined) : element)).filter(isSomething);
  }
  const edit = (element: unknown): unknown => {
    if (part !== undefined) return setPart(element, part, value);
    const read = readOne(attribute, value, attribute.name);
    return isObject(element) && isObject(read) ? { ...element, ...read } : read;
  };
  const meant = current.flatMap((element, index) => (isMeant(element) ? [index] : []));
  if (meant.length === 0) return keepOnePrimary([...current, edit(makeElement(filter, attribute))].filter(isSomething));
  const isMeantAt = new Set(meant);
  const edited = current.map((element, index) => (isMeantAt.has(index) ? edit(element) : element));
  const primary = meant.findLast((index) => isPrimary(edited[index]));
  if (primary === undefined) return edited.filter(isSomething);
  return edited.map((element, index) => (index === primary ? element : withoutPrimary(element))).filter(isSomething);
}

function isPrimary(element: unknown): boolean {
  return isObject(element) && element['primary'] === true;
}

function withoutPrimary(element: unknown): unknown {
  return isObject(element) && isPrimary(element) ? { ...element, primary: false } : element;
}

/** What a filter of equalities describes, which is what directories mean by adding to what is not there. */
function makeElement(filter: Filter | undefined, attribute: ScimAttribute): ScimDocument {
  if (filter === undefined) return {};
  if (filter.kind === 'and') return { ...makeElement(filter.left, attribute), ...makeElement(filter.right, attribute) };
  if (filter.kind !== 'compare' || filter.comparison !== 'eq' || filter.value === null) throw noTarget(attribute);
  const { attribute: part } = filter.place;
  return { [part.name]: readOne(part, filter.value, `${attribute.name}.${part.name}`) };
}

function setPart(of: unknown, part: ScimAttribute, value: unknown): ScimDocument {
  if (part.isReadOnly === true) throw refuse('mutability', `\`${part.name}\` cannot be changed.`, part.name);
  const { [part.name]: _former, ...others } = isObject(of) ? of : {};
  const read = readValue(part, value, part.name);
  return read === undefined ? others : { ...others, [part.name]: read };
}

function matches(filter: Filter, element: unknown): boolean {
  return isObject(element) && matchesFilter(filter, element);
}

function isSomething(value: unknown): boolean {
  return value !== undefined && (!isObject(value) || Object.keys(value).length > 0);
}

function noTarget({ name }: ScimAttribute): Error {
  return refuse('noTarget', `No element of \`${name}\` is as the path says.`, 'path');
}
