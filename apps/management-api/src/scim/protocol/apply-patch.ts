import { takeTurn } from '@weir/http-server';
import { findByName, findValuePart, isObject, type ResourceKind, type ScimDocument } from './attribute';
import { editAttribute, type PatchOperation } from './edit-attribute';
import type { Filter } from './filter';
import { findPath, parsePath, type PatchPath } from './parse-path';
import { checkSchemas } from './read-resource';
import { refuse, refuseValue, shorten } from './refusals';

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const OPERATIONS_MAX = 1_000;
/** Elements that operations look at, each as often as the path has terms: of one operation, and of all together. */
const LOOKS_MAX = 100_000;
const ALL_LOOKS_MAX = 4_000_000;
/** Sent again by some directories together with what changes. */
const NOT_TO_BE_CHANGED = new Set(['id', 'schemas', 'meta']);

type Asked = PatchOperation & { readonly path: string | undefined };

/** What a patch makes of a resource so far. */
type Patching = { readonly kind: ResourceKind; readonly document: Record<string, unknown>; looksLeft: number };

/**
 * The resource after all operations of a patch (RFC 7644, 3.5.2), none of which is carried out when one cannot be. Others are served
 * between two of them.
 */
export async function applyPatch(kind: ResourceKind, document: ScimDocument, body: ScimDocument): Promise<ScimDocument> {
  checkSchemas(body, PATCH_SCHEMA);
  const patching: Patching = { kind, document: { ...document }, looksLeft: ALL_LOOKS_MAX };
  for (const operation of readOperations(body).flatMap(splitAddition)) {
    await takeTurn();
    applyOperation(patching, operation);
  }
  return patching.document;
}

function readOperations(body: ScimDocument): Asked[] {
  const operations = readMember(body, 'operations');
  if (!Array.isArray(operations) || operations.length === 0)
    throw refuse('invalidSyntax', '`Operations` must be a list that is not empty.', 'Operations');
  if (operations.length > OPERATIONS_MAX) throw refuse('tooMany', `A patch may have ${OPERATIONS_MAX} operations at most.`, 'Operations');
  return operations.map((operation: unknown, index) => {
    if (!isObject(operation)) throw refuse('invalidSyntax', `\`Operations.${index}\` must be an object.`, 'Operations');
    const word = readMember(operation, 'op');
    const op = typeof word === 'string' ? word.toLowerCase() : '';
    if (op !== 'add' && op !== 'replace' && op !== 'remove')
      throw refuse('invalidSyntax', `\`Operations.${index}.op\` must be "add", "replace" or "remove".`, 'op');
    const path = readMember(operation, 'path');
    if (path !== undefined && path !== null && typeof path !== 'string')
      throw refuse('invalidPath', `\`Operations.${index}.path\` must be text.`, 'path');
    return { op, path: path === null || path === '' ? undefined : path, value: readMember(operation, 'value') };
  });
}

/** Reading and adding tens of thousands of elements at once takes longer than others are to wait. */
const ADDED_AT_ONCE = 5_000;

function splitAddition(operation: Asked): Asked[] {
  const { op, path, value } = operation;
  if (op !== 'add' || path === undefined || !Array.isArray(value) || value.length <= ADDED_AT_ONCE) return [operation];
  const parts: Asked[] = [];
  for (let from = 0; from < value.length; from += ADDED_AT_ONCE) parts.push({ op, path, value: value.slice(from, from + ADDED_AT_ONCE) });
  return parts;
}

function readMember(of: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.entries(of).find(([key]) => key.toLowerCase() === name)?.[1];
}

function applyOperation(patching: Patching, { op, path, value }: Asked): void {
  const { kind } = patching;
  if (path !== undefined) return applyAt(patching, { op, value }, parsePath(kind, path));
  if (op === 'remove') throw refuse('noTarget', 'An operation that removes needs a `path`.', 'path');
  if (!isObject(value)) throw refuseValue('value', 'must be an object where there is no `path`');
  for (const [name, inner] of Object.entries(value)) {
    if (NOT_TO_BE_CHANGED.has(name.toLowerCase())) continue;
    // What is not known is left out, as it is of a whole resource.
    const found = findPath(kind, name);
    if (found !== undefined) applyAt(patching, { op, value: inner }, found);
  }
}

function applyAt(patching: Patching, operation: PatchOperation, path: PatchPath): void {
  if (path.kind === 'schema') return applyToSchema(patching, operation, path);
  const { document } = patching;
  const { extension, attribute } = path.place;
  if (attribute.isReadOnly === true) throw refuse('mutability', `\`${shorten(attribute.name)}\` cannot be changed.`, attribute.name);
  const holder: Record<string, unknown> = extension === undefined ? document : { ...(document[extension] as object | undefined) };
  countLooks(patching, { current: holder[attribute.name], value: operation.value, path });
  const edited = editAttribute(holder[attribute.name], operation, path);
  if (edited === undefined) delete holder[attribute.name];
  else holder[attribute.name] = edited;
  if (extension === undefined) return;
  if (Object.keys(holder).length === 0) delete document[extension];
  else document[extension] = holder;
}

type Looked = { readonly current: unknown; readonly value: unknown; readonly path: Extract<PatchPath, { kind: 'attribute' }> };

/** Throws `tooMany` where an operation, or all so far, would look at more elements than a patch may. */
function countLooks(patching: Patching, { current, value, path: { place, filter } }: Looked): void {
  const [there, given] = [countElements(current), countElements(value)];
  // Elements without a value are compared each with each.
  const isCompared = place.attribute.isMultiple === true && findValuePart(place.attribute) === undefined;
  const terms = filter === undefined ? 0 : countTerms(filter);
  const looks = (there + given) * (1 + terms) + (isCompared ? there * given : 0);
  patching.looksLeft -= looks;
  // One term is what a directory takes a member out by, however many there are.
  if ((terms > 1 && looks > LOOKS_MAX) || patching.looksLeft < 0)
    throw refuse('tooMany', 'The patch looks at too many elements. Send fewer operations at a time, with shorter filters.', 'Operations');
}

function countElements(value: unknown): number {
  return Array.isArray(value) ? value.length : 1;
}

function countTerms(filter: Filter): number {
  if (filter.kind === 'and' || filter.kind === 'or') return countTerms(filter.left) + countTerms(filter.right);
  return filter.kind === 'not' || filter.kind === 'some' ? countTerms(filter.inner) : 1;
}

/** An extension as a whole; of the resource itself, the same as no path. */
function applyToSchema(patching: Patching, { op, value }: PatchOperation, { schema }: Extract<PatchPath, { kind: 'schema' }>): void {
  const { kind, document } = patching;
  if (schema === kind.schema) return applyOperation(patching, { op, value, path: undefined });
  if (op === 'remove') {
    delete document[schema.id];
    return;
  }
  if (!isObject(value)) throw refuseValue(schema.id, 'must be an object');
  for (const [name, inner] of Object.entries(value)) {
    const attribute = findByName(schema.attributes, name);
    if (attribute === undefined) continue;
    applyAt(patching, { op, value: inner }, { kind: 'attribute', place: { extension: schema.id, attribute } });
  }
}
