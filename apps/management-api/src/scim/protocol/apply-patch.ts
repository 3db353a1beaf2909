import { findByName, isObject, type ResourceKind, type ScimDocument } from './attribute';
import { editAttribute, type PatchOperation } from './edit-attribute';
import { findPath, parsePath, type PatchPath } from './parse-path';
import { checkSchemas } from './read-resource';
import { refuse, refuseValue, shorten } from './refusals';

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const OPERATIONS_MAX = 1_000;
/** Sent again by some directories together with what changes. */
const NOT_TO_BE_CHANGED = new Set(['id', 'schemas', 'meta']);

type Asked = PatchOperation & { readonly path: string | undefined };

/** The resource after all operations of a patch (RFC 7644, 3.5.2), none of which is carried out when one cannot be. */
export function applyPatch(kind: ResourceKind, document: ScimDocument, body: ScimDocument): ScimDocument {
  checkSchemas(body, PATCH_SCHEMA);
  const patched: Record<string, unknown> = { ...document };
  for (const operation of readOperations(body)) applyOperation(kind, patched, operation);
  return patched;
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

function readMember(of: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.entries(of).find(([key]) => key.toLowerCase() === name)?.[1];
}

function applyOperation(kind: ResourceKind, document: Record<string, unknown>, { op, path, value }: Asked): void {
  if (path !== undefined) return applyAt(kind, document, { op, value }, parsePath(kind, path));
  if (op === 'remove') throw refuse('noTarget', 'An operation that removes needs a `path`.', 'path');
  if (!isObject(value)) throw refuseValue('value', 'must be an object where there is no `path`');
  for (const [name, inner] of Object.entries(value)) {
    if (NOT_TO_BE_CHANGED.has(name.toLowerCase())) continue;
    // What is not known is left out, as it is of a whole resource.
    const found = findPath(kind, name);
    if (found !== undefined) applyAt(kind, document, { op, value: inner }, found);
  }
}

function applyAt(kind: ResourceKind, document: Record<string, unknown>, operation: PatchOperation, path: PatchPath): void {
  if (path.kind === 'schema') return applyToSchema(kind, document, operation, path);
  const { extension, attribute } = path.place;
  if (attribute.isReadOnly === true) throw refuse('mutability', `\`${shorten(attribute.name)}\` cannot be changed.`, attribute.name);
  const holder: Record<string, unknown> = extension === undefined ? document : { ...(document[extension] as object | undefined) };
  const edited = editAttribute(holder[attribute.name], operation, path);
  if (edited === undefined) delete holder[attribute.name];
  else holder[attribute.name] = edited;
  if (extension === undefined) return;
  if (Object.keys(holder).length === 0) delete document[extension];
  else document[extension] = holder;
}

/** An extension as a whole; of the resource itself, the same as no path. */
function applyToSchema(
  kind: ResourceKind,
  document: Record<string, unknown>,
  { op, value }: PatchOperation,
  { schema }: Extract<PatchPath, { kind: 'schema' }>,
): void {
  if (schema === kind.schema) return applyOperation(kind, document, { op, value, path: undefined });
  if (op === 'remove') {
    delete document[schema.id];
    return;
  }
  if (!isObject(value)) throw refuseValue(schema.id, 'must be an object');
  for (const [name, inner] of Object.entries(value)) {
    const attribute = findByName(schema.attributes, name);
    if (attribute === undefined) continue;
    applyAt(kind, document, { op, value: inner }, { kind: 'attribute', place: { extension: schema.id, attribute } });
  }
}
